/** What is on the screen: whole messages, and the draft of the one that is being written. */
export class Transcript {
  /**
   * In order. A placeholder announces a result, which takes its place; `label` is what is done now.
   * @type {{message_id: string, role: string, text: string, draft: boolean, placeholder?: boolean, label?: string}[]}
   */
  messages = [];

  /** Takes an event; returns the message that changed, or nothing. */
  take(event) {
    switch (event.event) {
      case "input_accepted":
        return event.input_accepted.messages.map((message) => this.#commit(message)).at(-1);
      case "message_committed":
        return this.#commit(event.message_committed);
      case "draft_delta":
        return this.#draft(event);
      case "draft_voided":
        return this.#void(event.turn_id, event.draft_voided.up_to_attempt);
      case "activity":
        return this.#goOn(event.activity);
      default: // an event of no interest here, or one of a newer server
        return undefined;
    }
  }

  #find(id) {
    return this.messages.find((message) => message.message_id === id);
  }

  /** The only authoritative text: it replaces the draft, or the placeholder that announced it. */
  #commit({ message_id, role, parts, completeness, replaces_message_id }) {
    const text = parts.map(textOf).join("\n");
    const placeholder = completeness === "COMPLETENESS_PLACEHOLDER";
    const message = { message_id, role, text, draft: false, placeholder, label: "" };
    const known = this.#find(replaces_message_id) ?? this.#find(message_id);
    return known ? Object.assign(known, message) : this.#add(message);
  }

  /** What an agent does now for the message that announces its result. */
  #goOn({ message_id, label }) {
    const known = this.#find(message_id);
    return known?.placeholder ? Object.assign(known, { label }) : undefined;
  }

  #draft({ turn_id, attempt, draft_delta: { at, text } }) {
    const known =
      this.#find(at.message_id) ??
      this.#add({
        message_id: at.message_id,
        role: "ROLE_ASSISTANT",
        text: "",
        draft: true,
        turn_id,
        attempt,
      });
    const end = [...known.text].length; // offsets count code points, not UTF-16 units
    if (!known.draft || at.offset !== end) return undefined; // a gap: wait for the message
    known.text += text;
    return known;
  }

  #void(turnId, upToAttempt) {
    const isVoid = (m) => m.draft && m.turn_id === turnId && m.attempt <= upToAttempt;
    this.messages = this.messages.filter((message) => !isVoid(message));
    return undefined;
  }

  #add(message) {
    this.messages.push(message);
    return message;
  }
}

/** A part of a kind one cannot show has words that stand for it. */
export function textOf(part) {
  return part.content === "text" ? part.text : part.fallback_text;
}
