/**
 * Starts sessions with labels, changes them, finds one by a filter, and asks what the server is; prints
 * what came of each as a line of JSON.
 *
 * The one argument is JSON: address, protos, script.
 */

import { HeartRule } from "./heartrule.mjs";

const { address, protos, script } = JSON.parse(process.argv[2]);
const heartrule = new HeartRule(address, { protos });
const { script_id } = await heartrule.publish(script);
const { session_id } = await heartrule.start({ script_id, labels: { 研究: "秋季", seen: "no" } });
await heartrule.start({ script_id, labels: { 研究: "春季" } });

const { labels } = await heartrule.label(session_id, { seen: null, note: "it's \"here\"" });
console.log(JSON.stringify(labels));
const filter = `labels.研究 = "秋季" AND labels.note = "it's \\"here\\""`;
const { sessions } = await heartrule.call("session", "ListSessions", { filter, order_by: "create_time" });
console.log(JSON.stringify(sessions.map((each) => each.session_id === session_id)));
const wrong = heartrule.call("session", "ListSessions", { filter: "nobody = 1" });
console.log(JSON.stringify(await wrong.catch(({ code, details }) => ({ code, details }))));
console.log(JSON.stringify(await heartrule.serverInfo()));
heartrule.close();
