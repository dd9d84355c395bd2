// Holds a scripted conversation through OpenAI's own library: a script is a model, `user` names the session.
//
//   node talk.mjs http://127.0.0.1:8080 greeting xiaoming < lines.txt
import readline from "node:readline";
import OpenAI from "openai";

const [gateway = "http://127.0.0.1:8080", model = "greeting", user = crypto.randomUUID()] = process.argv.slice(2);
const client = new OpenAI({ baseURL: `${gateway}/v1`, apiKey: process.env.HEARTRULE_GATEWAY_TOKEN ?? "none" });

for await (const line of readline.createInterface({ input: process.stdin })) {
  const messages = [{ role: "user", content: line }];
  const stream = await client.chat.completions.create({ model, user, messages, stream: true });
  for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? "");
  process.stdout.write("\n");
}
