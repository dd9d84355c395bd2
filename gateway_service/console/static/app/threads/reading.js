// Threads as ListThreads and GetThread give them, arranged by the messages they are nested in.

const MASK = '•••';

/** The message that something nested refers to: of a result, the placeholder whose place it took. */
export const anchorOf = (message) => message.replacesMessageId || message.messageId;

/** The threads nested in a message, in the order in which they were opened. */
export const nestedIn = (message, threads) => threads.filter((one) => one.anchorMessageId === anchorOf(message));

/** Whether texts are masked, as the session's script has sensitive variables. */
export const isMasked = (messages) => messages.some((message) => message.text === MASK);

/** Threads as spans of a time line; one that goes on lasts until `now`. */
export function threadSpans(threads, now) {
  return threads.map(({ threadId, agent, createTime, endTime }) => {
    const ms = Math.max(0, (endTime ? Date.parse(endTime) : now) - Date.parse(createTime));
    return {
      spanId: threadId,
      lane: 'threads',
      kind: 'thread',
      name: agent,
      startTime: createTime,
      duration: `${ms / 1000}s`,
    };
  });
}
