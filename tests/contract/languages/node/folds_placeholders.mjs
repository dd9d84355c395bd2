/**
 * Shows events of a conversation, and prints the transcript after each as a line of JSON.
 *
 * The one argument is the events as JSON.
 */

import { Transcript } from "./transcript.mjs";

const transcript = new Transcript();
for (const event of JSON.parse(process.argv[2])) {
  transcript.take(event);
  console.log(JSON.stringify(transcript.messages));
}
