/**
 * Plain values to and from google.protobuf.Struct, which holds forms, their schemas and payloads.
 * The loader knows this type by heart and names its fields in camel case.
 */

/** Makes a Struct of an object. */
export function toStruct(object) {
  const fields = Object.entries(object).map(([name, value]) => [name, toValue(value)]);
  return { fields: Object.fromEntries(fields) };
}

/** Makes an object of a Struct. */
export function fromStruct(struct) {
  const fields = Object.entries(struct?.fields ?? {});
  return Object.fromEntries(fields.map(([name, value]) => [name, fromValue(value)]));
}

function toValue(value) {
  if (value === null || value === undefined) return { nullValue: 0 };
  if (typeof value === "number") return { numberValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { listValue: { values: value.map(toValue) } };
  return typeof value === "object" ? { structValue: toStruct(value) } : { stringValue: `${value}` };
}

/** Makes a plain value of a Value, such as a decision's payload. */
export function fromValue(value) {
  switch (value.kind) {
    case "listValue":
      return value.listValue.values.map(fromValue);
    case "structValue":
      return fromStruct(value.structValue);
    case "nullValue":
      return null;
    default:
      return value[value.kind];
  }
}
