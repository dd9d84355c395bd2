/**
 * A client of HeartRule without generated code: the contract is read from its .proto files.
 *
 *     const heartrule = new HeartRule("127.0.0.1:50051");
 *     const script = await heartrule.publish(await readFile("greeting.yaml"));
 *     const session = await heartrule.start({ script_id: script.script_id });
 *     for await (const event of heartrule.converse(session.session_id)) console.log(event);
 */

import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

import { Conversation } from "./conversation.mjs";
import { toStruct } from "./struct.mjs";
import { BothWays, OneWay } from "./transports.mjs";

/** The services on the executor's port, by noun. */
const SERVICES = ["conversation", "session", "history", "script", "asset", "safety", "decision", "run", "thread", "server"];

const PROTOS = fileURLToPath(new URL("../../protos", import.meta.url));

/** How messages look in JavaScript: names as in the contract, enums as text, 64 bits as numbers. */
const FORM = { keepCase: true, enums: String, longs: Number, defaults: true, oneofs: true };

const CHANNEL = {
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.initial_reconnect_backoff_ms": 500,
  "grpc.max_reconnect_backoff_ms": 5_000,
  "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Returns an interceptor that adds the token to the metadata of every call. */
function sending(token) {
  const start = (metadata, listener, next) => {
    metadata.set("authorization", `Bearer ${token}`);
    next(metadata, listener);
  };
  return (options, nextCall) => new grpc.InterceptingCall(nextCall(options), { start });
}

export class HeartRule {
  /**
   * @param {string} address host:port of the executor
   * @param {{protos?: string, credentials?: grpc.ChannelCredentials, token?: string}} options
   *   `token` is the executor's HEARTRULE_TOKEN, where it asks for one
   */
  constructor(
    address,
    {
      protos = PROTOS,
      credentials = grpc.credentials.createInsecure(),
      token = process.env.HEARTRULE_TOKEN,
    } = {},
  ) {
    const files = protoLoader.loadSync(
      SERVICES.map((noun) => `heartrule/v1/${noun}_service.proto`),
      { ...FORM, includeDirs: [protos] },
    );
    this.contract = files; // every message by its full name
    const { v1 } = grpc.loadPackageDefinition(files).heartrule;
    const channel = token ? { ...CHANNEL, interceptors: [sending(token)] } : CHANNEL;
    const stub = (Service) => new Service(address, credentials, channel); // grpc-js shares one connection
    this.conversation = stub(v1.ConversationService);
    this.session = stub(v1.SessionService);
    this.history = stub(v1.HistoryService);
    this.script = stub(v1.ScriptService);
    this.asset = stub(v1.AssetService);
    this.safety = stub(v1.SafetyService);
    this.decision = stub(v1.DecisionService);
    this.run = stub(v1.RunService);
    this.thread = stub(v1.ThreadService);
    this.server = stub(v1.ServerService);
  }

  /** Makes one unary call. Rejects with an Error whose `code` is a gRPC status code. */
  call(noun, method, request, { timeoutMs = 10_000 } = {}) {
    return new Promise((resolve, reject) => {
      this[noun][method](request, { deadline: Date.now() + timeoutMs }, (error, response) =>
        error ? reject(error) : resolve(response),
      );
    });
  }

  /** Resolves to version, features and limits of the server; an older one refuses with UNIMPLEMENTED. */
  async serverInfo() {
    return (await this.call("server", "GetServerInfo", {})).info;
  }

  /** Publishes a script of one file and resolves to it; the same script again changes nothing. */
  async publish(yaml) {
    const bundle = { files: { "script.yaml": Buffer.from(yaml) } };
    return (await this.call("script", "PublishScript", { bundle })).script;
  }

  /** Starts a session and resolves to it. The request_id makes it safe to call again. */
  async start({ request_id = randomUUID(), ...fields }) {
    return (await this.call("session", "StartSession", { request_id, ...fields })).session;
  }

  /**
   * Changes labels of a session and resolves to the session; a value of null removes its label.
   * @param {string} session_id
   * @param {Object<string, string|null>} changes by name
   */
  async label(session_id, changes) {
    const set = Object.entries(changes).filter(([, value]) => value !== null);
    const paths = Object.keys(changes).map((name) => `labels.${name}`);
    const request = { session_id, labels: Object.fromEntries(set), update_mask: { paths } };
    return (await this.call("session", "UpdateSession", request)).session;
  }

  /**
   * Submits a decision between turns and resolves to {decision, workflow}; a rejected one is an
   * answer, too. The decision_id makes it safe to call again.
   * @param {string} sessionId
   * @param fields payload, which names its type in action_type; dry_run, confidence and others
   */
  decide(sessionId, { payload, decision_id = randomUUID(), ...fields }) {
    const decision_type = `DECISION_TYPE_${payload.action_type.toUpperCase()}`;
    const request = { session_id: sessionId, decision_id, decision_type, ...fields };
    return this.call("decision", "SubmitDecision", { ...request, payload: toStruct(payload) });
  }

  /** Talks on one stream, both ways. */
  converse(sessionId, options) {
    return new Conversation((open) => new BothWays(this, open), sessionId, options);
  }

  /** The same without bidirectional streams, as a browser must (gRPC-Web has none). */
  watch(sessionId, options) {
    return new Conversation((open) => new OneWay(this, open), sessionId, options);
  }

  close() {
    for (const noun of SERVICES) this[noun].close();
  }
}
