/**
 * What a refused call says beside its code: the details of google.rpc.Status, which come in the
 * trailing metadata. The contract does not hold their messages, so they are written out here.
 */

import protoLoader from "@grpc/proto-loader";

const message = (fields) => ({ fields });
const DETAILS = {
  Status: message({ details: { rule: "repeated", type: "Detail", id: 3 } }),
  Detail: message({ type_url: { type: "string", id: 1 }, value: { type: "bytes", id: 2 } }),
  ErrorInfo: message({ reason: { type: "string", id: 1 } }),
  RetryInfo: message({ retry_delay: { type: "Duration", id: 1 } }),
  Duration: message({ seconds: { type: "int64", id: 1 }, nanos: { type: "int32", id: 2 } }),
};
const GOOGLE = { nested: { google: { nested: { rpc: { nested: DETAILS } } } } };
const KNOWN = protoLoader.fromJSON(GOOGLE, { keepCase: true, longs: Number, defaults: true });

/**
 * Returns the details of a call's error by the names of their messages.
 * @param contract what proto-loader read: the messages that may be among them
 */
export function detailsOf(error, contract) {
  const [status] = error.metadata?.get("grpc-status-details-bin") ?? [];
  const found = {};
  for (const { type_url, value } of status ? KNOWN["google.rpc.Status"].deserialize(status).details : []) {
    const name = type_url.slice(type_url.lastIndexOf("/") + 1);
    found[name] = (KNOWN[name] ?? contract[name])?.deserialize(value);
  }
  return found;
}
