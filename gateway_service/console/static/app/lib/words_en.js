// The page's words in English; the keys are those of words_zh.js.

import { codesEn } from './codes_en.js';

export const en = {
  ...codesEn,

  'app.console': 'console', 'app.language': 'Language', 'app.skip': 'Skip to content', 'app.loading': 'Loading…',
  'app.cancel': 'Cancel', 'app.more': 'More', 'app.keep': 'Save', 'app.leaveIt': 'Not now', 'app.unreachable': 'The server does not answer. Is the gateway running?',
  'app.notFound': 'There is no such page.', 'app.logout': 'Log out',
  'nav.sessions': 'Sessions', 'nav.scripts': 'Scripts',
  'login.title': 'Enter the access token', 'login.token': 'Token', 'login.enter': 'Enter', 'login.wrong': 'That is not the token.',

  'sessions.title': 'Sessions', 'sessions.none': 'No sessions yet. Choose a script and begin the first.', 'sessions.start': 'Start a session', 'sessions.script': 'Script',
  'sessions.user': 'Client (optional)', 'sessions.strategy': 'Strategy engine on', 'sessions.compare': 'Side by side', 'sessions.compareHint': 'Tick two sessions to see them side by side.',
  'sessions.created': 'Begun', 'sessions.updated': 'Changed', 'sessions.status': 'Status', 'sessions.delete': 'Delete', 'sessions.choose': 'Choose {name}',
  'sessions.sureDelete': 'Delete everything in this session? This cannot be undone.', 'sessions.forked': 'forked from', 'sessions.forkedOne': 'a fork', 'sessions.more': '{name}: id, delete', 'sessions.deleteTitle': 'Delete the session', 'sessions.changed': 'with another {action}', 'sessions.noScripts': 'No scripts yet. Publish one on the Scripts page first.',
  'sessions.saved': 'Saved snapshots', 'sessions.restore': 'Restore', 'sessions.forget': 'Remove snapshot', 'sessions.actions': 'Actions',

  'status.running': 'running', 'status.waiting_input': 'waiting for input', 'status.completed': 'completed', 'status.error': 'error',
  'link.connecting': 'connecting', 'link.live': 'connected', 'link.broken': 'line lost, connecting again', 'link.failed': 'no connection',
  'end.script_end': 'end of script', 'end.idle_timeout': 'idle for too long',

  'pane.position': 'Position', 'pane.chat': 'Chat', 'pane.inspector': 'Inspector',
  'chat.log': 'Conversation', 'chat.say': 'Your message', 'chat.replies': 'Answers to choose from', 'chat.send': 'Send', 'chat.hint': 'Enter sends, Shift+Enter breaks the line', 'chat.begin': 'Begin', 'chat.stop': 'Stop',
  'chat.ended': 'The session has ended.', 'chat.older': 'Read what came before', 'chat.thinking': 'Thinking…', 'chat.you': 'Client', 'chat.assistant': 'Assistant', 'chat.system': 'System', 'chat.counsellor': 'Counsellor',
  'chat.rejected': 'Not accepted: {reason}', 'chat.length': '{n} of at most {most} characters', 'chat.failed': 'This turn failed: {reason}', 'chat.retry': 'Say the last message again', 'chat.waiting': 'waiting', 'chat.picture': 'Picture', 'chat.showPicture': 'Show the picture',
  'chat.placeholder': 'the result is to come', 'chat.truncated': 'broke off', 'chat.interrupted': 'interrupted', 'chat.goingAway': 'The server restarts soon; the page will connect again.', 'chat.retrying': 'attempt {n}', 'chat.debug': 'Show debug bubbles',
  'form.submit': 'Submit', 'form.missing': 'Please fill in: {names}', 'form.answered': 'Form submitted', 'form.optional': '(optional)', 'form.yes': 'Yes', 'form.no': 'No',

  'turn.opening': 'Opening', 'turn.turn': 'Turn {n}', 'turn.inspect': 'Inspect this turn', 'turn.at': 'The turn of {time}', 'turn.snapshot': 'Save snapshot', 'turn.fork': 'Fork from here', 'turn.merged': '{n} inputs merged', 'turn.running': 'running',
  'turn.snapshotName': 'Name of the snapshot', 'turn.degraded': 'Degraded: {reason}', 'turn.safety': 'Crisis words: {category}',

  'bubble.error': 'The model’s JSON could not be read', 'bubble.retries': 'Retries', 'bubble.strategies': 'Strategies tried', 'bubble.finalError': 'Final error', 'bubble.raw': 'Show the raw response',
  'bubble.variable': 'Variable', 'bubble.name': 'Name', 'bubble.value': 'Value', 'bubble.scope': 'Scope', 'bubble.source': 'Source', 'bubble.history': 'History', 'bubble.noHistory': 'No earlier value',
  'bubble.quote': 'The client’s words', 'support.client_words': 'supported', 'support.form': 'from a form', 'support.unquoted': 'unquoted', 'support.inferred': 'inferred', 'support.run': 'of a run', 'support.unsupported': 'unsupported, not stored', 'support.ahead': 'gathered ahead', 'support.confirmed': 'confirmed', 'support.known': 'known, not asked',
  'bubble.exit': 'Exit decision', 'bubble.exitYes': 'exit', 'bubble.exitNo': 'continue', 'bubble.decisionSource': 'Decided by', 'bubble.reason': 'Reason', 'bubble.round': 'Round', 'bubble.classification': 'Exit reason', 'bubble.modelExit': 'The model’s EXIT',
  'bubble.advice': 'Advice used', 'bubble.adviceText': 'What entered the prompt', 'bubble.strategy': 'Strategy', 'bubble.skipped': '{action} skipped', 'bubble.left': 'left {scope}', 'bubble.leftMany': '{n} scopes left, {cleaned} variables cleaned', 'bubble.cleaned': 'Variables cleaned', 'bubble.voided': 'An unfinished reply was voided', 'bubble.metrics': 'Metrics',
  'bubble.condition': 'Condition', 'bubble.nothingCleaned': 'Nothing to clean',
  'scope.session': 'session', 'scope.phase': 'phase', 'scope.topic': 'topic', 'scope.global': 'global', 'scope.archive': 'archive',
  'source.max_rounds': 'round limit', 'source.exit_flag': 'the model’s EXIT flag', 'source.exit_criteria': 'exit criteria', 'source.llm_suggestion': 'the model’s suggestion',
  'reason.max_rounds_reached': 'round limit reached', 'reason.exit_criteria_met': 'exit criteria met', 'reason.user_blocked': 'client blocked', 'reason.off_topic': 'off topic',
  'bubble.signals': 'Signals', 'signal.echo': 'echo of the client', 'signal.repetition': 'repetition', 'signal.late_exit': 'question at an exit', 'signal.unsupported_value': 'value nobody said', 'signal.shorter_answer': 'shorter answer', 'signal.question_not_answered': 'question not answered', 'signal.same_question': 'same question', 'signal.language_mismatch': 'other language', 'signal.client_not_answered': 'client not answered', 'signal.feeling_passed_over': 'feeling passed over',
  'metric.informationCompleteness': 'Information completeness', 'metric.userEngagement': 'Engagement', 'metric.emotionalIntensity': 'Emotional intensity', 'metric.replyRelevance': 'Reply relevance', 'metric.understandingLevel': 'Understanding',
  'suggestion.continue_needed': 'continue needed', 'suggestion.completed': 'completed', 'suggestion.blocked': 'blocked', 'suggestion.off_topic': 'off topic',

  'tree.label': 'Position in the script', 'tree.phase': 'Phase', 'tree.topic': 'Topic', 'tree.round': 'round {n}/{max}', 'tree.inserted': 'inserted', 'tree.mandatory': 'mandatory',
  'tree.edits': 'Plan edits', 'tree.undo': 'Undo', 'tree.edit': 'Change and run again', 'state.pending': 'not started', 'state.running': 'running', 'state.completed': 'completed', 'state.skipped': 'skipped',
  'edit.insert': 'insert', 'edit.modify': 'modify', 'edit.skip': 'skip', 'edit.reorder': 'reorder', 'edit.undo': 'undo of an edit', 'editState.pending': 'pending', 'editState.applied': 'applied', 'editState.rejected': 'rejected', 'editState.undone': 'undone', 'editState.expired': 'expired', 'edit.rule': 'Rule', 'edit.before': 'Before', 'edit.after': 'After',

  'tab.more': 'More tabs', 'tab.turn': 'Turn', 'tab.variables': 'Variables', 'tab.exits': 'Exits', 'tab.advice': 'Monitor', 'tab.strategy': 'Strategy', 'tab.calls': 'Model calls', 'tab.timeline': 'Time line', 'tab.decisions': 'Decisions',
  'turnTab.none': 'Choose a turn in the chat, or say something.', 'turnTab.chosen': 'Chosen turn', 'turnTab.latest': 'Latest turn', 'turnTab.outcome': 'Outcome', 'turnTab.follow': 'Follow the latest',
  'outcome.waiting': 'waits for the client', 'outcome.session_completed': 'session completed', 'outcome.interrupted': 'interrupted', 'outcome.failed': 'failed', 'outcome.preempted': 'made room',
  'variables.now': 'Variables now', 'variables.none': 'No variables yet.', 'variables.archived': 'archived', 'variables.changed': 'Changed', 'variables.operations': 'Extractions', 'variables.snapshots': 'Scope switches', 'variables.filter': 'Filter variables',
  'operation.extract': 'extract', 'operation.update': 'update', 'operation.delete': 'delete', 'operation.declare': 'declare', 'operation.set': 'set',
  'exits.none': 'No exit decision yet.', 'exits.words': 'When to end (script)', 'exits.criteria': 'Exit criteria', 'exits.sources': 'What may decide', 'exits.outputsKnown': 'all that is asked for is known', 'exits.understanding': 'understanding at least {level}', 'exits.noQuestions': 'no open questions', 'exits.minRounds': 'at least {n} rounds', 'exits.action': 'Action',
  'decisions.none': 'Nothing was decided yet: only an agent or an operator decides.', 'decisions.waiting': 'Not done yet', 'decisions.over': 'Done or rejected', 'decisions.corrections': 'Corrections', 'decisions.errors': 'Why it was rejected', 'decisions.path': 'Field', 'decisions.before': 'Proposed', 'decisions.after': 'Corrected', 'decisions.removed': 'taken out', 'decisions.unjudged': 'Its turn to be judged has not come.', 'decisions.payload': 'Payload as proposed', 'decisions.effective': 'Payload that takes effect', 'decisions.turn': 'Made in turn', 'decisions.between': 'Made between turns', 'decisions.workflows': 'Workflows', 'decisions.revision': 'revision {n}',
  'decisionType.respond': 'Answer', 'decisionType.create_node': 'Add a node', 'decisionType.create_workflow_plan': 'Plan a workflow', 'decisionType.execute_workflow': 'Run a workflow', 'decisionType.request_clarification': 'Ask back', 'decisionType.continue': 'Think on', 'decisionType.modify_node': 'Change a node', 'decisionType.error_recovery': 'Recover from an error', 'decisionType.replan_workflow': 'Plan anew', 'decisionType.spawn_subagent': 'Call a sub-agent',
  'author.agent': 'by the agent', 'author.coordinator': 'by the coordinator', 'author.operator': 'by an operator',
  'decisionState.queued': 'queued', 'decisionState.held': 'held', 'decisionState.running': 'running', 'decisionState.interrupted': 'interrupted', 'decisionState.done': 'done', 'decisionState.rejected': 'rejected', 'decisionState.superseded': 'superseded',
  'workflowStatus.draft': 'draft', 'workflowStatus.ready': 'ready', 'workflowStatus.running': 'running', 'workflowStatus.completed': 'completed', 'workflowStatus.failed': 'failed',
  'advice.none': 'The monitor has given no advice yet.', 'advice.about': 'about round {n}', 'advice.prompt': 'The prompt it entered', 'advice.notUsed': 'It has entered no prompt.', 'advice.usedIn': 'Used in turn', 'advice.analysis': 'Analysis', 'advice.analyses': 'What the monitor made of each round', 'advice.supersedes': 'took the place of an older advice',
  'adviceState.pending': 'pending', 'adviceState.consumed': 'used', 'adviceState.expired': 'expired', 'adviceState.superseded': 'superseded',
  'severity.info': 'info', 'severity.concern': 'intervene', 'severity.urgent': 'edit the plan',
  'result.advice': 'advice', 'result.no_advice': 'no advice needed', 'result.failed': 'failed', 'result.dropped': 'dropped', 'result.skipped': 'not asked',
  'planning.owed': 'plan owed', 'planning.proposed': 'plan proposed', 'planning.no_plan': 'no plan', 'planning.failed': 'planning failed', 'planning.dropped': 'planning dropped', 'planning.skipped': 'planning skipped',
  'strategy.none': 'No strategy yet. The engine is off unless a session turns it on.', 'strategy.state': 'The client’s state', 'strategy.considerations': 'Key considerations', 'strategy.rationale': 'Rationale', 'strategy.prompt': 'Recommendation', 'strategy.compare': 'Compare with an earlier decision', 'strategy.earlier': 'Earlier decision', 'strategy.situation': 'Situation',
  'calls.none': 'This turn made no model call.', 'calls.prompt': 'Prompt', 'calls.response': 'Response', 'calls.tokens': '{prompt} + {completion} tokens', 'calls.parse': 'Reading', 'calls.config': 'Parameters', 'calls.first': 'first text',
  'purpose.talk': 'talk', 'purpose.monitor': 'monitor', 'purpose.think': 'think', 'purpose.strategy': 'strategy', 'purpose.decide': 'decide', 'purpose.workflow': 'workflow', 'purpose.thread': 'thread', 'purpose.plan': 'plan',
  'timeline.quiet': 'nothing in this turn', 'timeline.main': 'Main line', 'timeline.monitor': 'Monitor', 'timeline.none': 'No time line to show.', 'timeline.links': 'Links', 'timeline.hint': 'The monitor runs beside the main line; the links tell what it changed.', 'timeline.table': 'As a table', 'timeline.what': 'Step', 'timeline.from': 'From', 'timeline.took': 'Took',
  'kind.thread': 'thread', 'kind.turn': 'whole turn', 'kind.attempt': 'attempt', 'kind.step': 'step', 'kind.message': 'message', 'kind.model_call': 'model', 'kind.decision': 'decision', 'kind.strategy': 'strategy', 'kind.analysis': 'analysis', 'kind.advice': 'advice', 'kind.plan_edit': 'plan edit',
  'relation.judges': 'judges', 'relation.made': 'made', 'relation.used_in': 'used in', 'relation.used': 'used', 'relation.caused': 'caused',

  'scripts.title': 'Scripts', 'scripts.none': 'No scripts yet.', 'scripts.new': 'New script', 'scripts.name': 'Name', 'scripts.version': 'Version', 'scripts.findings': 'Check', 'scripts.clean': 'clean', 'scripts.errors': '{n} errors', 'scripts.warnings': '{n} warnings', 'scripts.notes': '{n} notes',
  'scripts.edit': 'Edit', 'scripts.publish': 'Publish', 'scripts.published': 'Published as version {n}.', 'scripts.start': 'Start a session with it', 'scripts.unsaved': 'not published yet', 'scripts.file': 'File', 'scripts.editor': 'Script editor', 'scripts.checking': 'Checking…', 'scripts.versions': 'Versions', 'scripts.line': 'line {line}, column {column}', 'scripts.completion': 'Ctrl+Space completes, Ctrl+F searches', 'scripts.current': 'current', 'scripts.publishFirst': 'Publish it before you start a session.',
  'finding.error': 'error', 'finding.warning': 'warning', 'finding.note': 'note',

  'fork.title': 'Change one action and run again from just before it', 'fork.hint': 'The new session stands just before this action begins; this one stays as it is. Write the action’s whole configuration as JSON.', 'fork.action': 'Action', 'fork.config': 'Configuration', 'fork.run': 'Fork and run', 'fork.bad': 'This is not JSON: {reason}', 'fork.side': 'Show both side by side',
  'compare.left': 'Left', 'compare.right': 'Right',

  'safety.alerts': 'Alerts ({n})', 'safety.operator': 'Your name', 'safety.operatorHint': 'Enter your name to acknowledge alerts; it is kept in this browser and in the acknowledgement.', 'safety.acknowledge': 'Acknowledge',
  'safety.delivered': 'delivered', 'safety.undelivered': 'not delivered', 'safety.failedDelivery': 'not delivered, failed {n}×', 'safety.refused': 'input refused',
  'safety.title': 'Safety', 'safety.frozen': 'position frozen', 'safety.off': 'safety is off', 'safety.step': 'Step', 'safety.denials': 'Clear denials', 'safety.quiet': 'Quiet turns', 'safety.rules': 'Rules', 'safety.seenBy': 'Seen by', 'safety.note': 'Note',
  'safety.close': 'Close safety', 'safety.closeTitle': 'Lead this session off the crisis path', 'safety.closeHint': 'The script goes on from where it stopped. Do this only when you have made sure that the client is safe. Put no words of the client into the note.', 'safety.closeRun': 'Close safety',
  'safety.unreviewed': 'The safety texts need a clinically trained reader ({n} files)', 'safety.outdated': '{n} resources were not verified for more than 180 days',
  'safety.unsent': 'What you wrote was not sent, and nobody here can see it now. If you are in danger or have thoughts of not wanting to live, please reach out directly:',
  'level.none': 'none', 'level.concern': 'concern', 'level.third_party': 'about someone else', 'level.emergency': 'danger to others', 'level.crisis': 'crisis', 'level.imminent': 'imminent danger',
  'safetyStep.ask': 'asking', 'safetyStep.help': 'how to help', 'safetyStep.call': 'emergency number', 'safetyStep.reach': 'what makes help hard to reach', 'safetyStep.someone': 'someone trusted', 'safetyStep.company': 'company', 'safetyStep.distance': 'distance from means', 'safetyStep.stay': 'asking again', 'safetyStep.left': 'left',
  'safetySource.rule': 'rule', 'safetySource.form_item': 'form', 'safetySource.context': 'answer to a question', 'safetySource.classifier': 'classifier', 'safetySource.monitor': 'monitor', 'safetySource.operator': 'operator',

  'tab.runs': 'Runs', 'timeline.runs': 'Runs of workflows that this turn began', 'run.open': 'Run of {name}',
  'run.none': 'No workflow has run in this session.', 'run.back': 'Back to the session',
  'run.missing': 'There is no such run',
  'run.missingWhy': 'This session has no run {run}. The address may be cut off, or belong to another session.',
  'run.others': 'All runs of this session', 'run.cancel': 'Cancel the run',
  'run.sureCancel': 'End this run? Nodes that have not ended are cancelled; what they did outside stays done.',
  'run.waits': 'A node failed, and nothing goes on until somebody has decided how:',
  'run.masked': 'Texts are masked, as the script has sensitive variables; so the plan cannot be drawn.',
  'run.reveal': 'Show them', 'run.workflow': 'Workflow', 'run.queued': 'Queued', 'run.began': 'Began',
  'run.ended': 'Ended', 'run.wakes': 'Goes on at', 'run.deadline': 'At the latest',
  'run.begunBy': 'Begun by decision', 'run.replaces': 'Replaces run', 'run.landing': 'In the conversation',
  'run.takenBack': 'The turn that began it was taken back.',
  'run.trimmed': 'Inputs, outputs and files are gone: they were kept for their time.', 'run.note': 'Note',
  'run.graph': 'Plan', 'run.noGraph': 'The plan could not be drawn; the table has all of it.',
  'run.chosen': 'Chosen node', 'run.choose': 'Press a node to see its attempts, inputs, outputs and files.',
  'run.table': 'Nodes', 'run.cut': 'Only the first {n} attempts are shown.', 'run.files': 'Files',
  'run.given': 'Inputs of the run', 'run.node': 'Node', 'run.type': 'Type', 'run.state': 'State',
  'run.attempts': 'Attempts', 'run.after': 'Comes after', 'run.if': 'if', 'run.inLoop': 'in the loop {name}',
  'run.turn': 'Turn {n}', 'run.attempt': 'Attempt {n}', 'run.notBegun': 'It has not begun.', 'run.inputs': 'Inputs',
  'run.output': 'Output', 'run.large': 'More than 16 KiB: download',
  'run.largeClosed': 'More than 16 KiB; it cannot be read here.', 'run.bytes': '{n} bytes',
  'run.plan': 'As the plan has it', 'run.unread': 'Could not be computed', 'run.outside': 'Outside',
  'run.effect': 'It did something, or may have, that no retry takes back.',
  'run.retryable': 'another attempt may succeed',
  'runState.queued': 'queued', 'runState.running': 'running', 'runState.waiting_decision': 'awaits a decision',
  'runState.completed': 'completed', 'runState.failed': 'failed', 'runState.cancelled': 'cancelled',
  'runState.interrupted': 'interrupted',
  'nodeState.pending': 'not begun', 'nodeState.running': 'running', 'nodeState.retrying': 'retrying',
  'nodeState.waiting_decision': 'awaits decision', 'nodeState.completed': 'completed', 'nodeState.failed': 'failed',
  'nodeState.skipped': 'skipped', 'nodeState.cancelled': 'cancelled',
  'skipReason.condition': 'what ran before led elsewhere', 'skipReason.upstream': 'nothing before it ran',
  'skipReason.recovery': 'failed, and the run went on without it',
  'runLanding.waits': 'the next turn takes it up', 'runLanding.taken': 'taken up',
  'runLanding.session_over': 'the session had ended',
  'runCode.timeout': 'took too long', 'runCode.connection': 'nobody could be reached',
  'runCode.http_4xx': 'HTTP 400–499', 'runCode.http_5xx': 'HTTP 500–599', 'runCode.refused': 'not allowed',
  'runCode.limit': 'over a limit', 'runCode.code_error': 'error in its code',
  'runCode.unreadable': 'unreadable answer', 'runCode.sandbox_gone': 'the sandbox ended',
  'runCode.missing_value': 'a reference has no value', 'runCode.model_error': 'the model gave no answer',
  'runCode.run_timeout': 'the run took too long', 'runCode.worker_lost': 'its workers died again and again',
  'runCode.engine_version': 'begun by an older release', 'runCode.aborted': 'stopped by a recovery',

  'thread.title': 'Thread', 'thread.agent': 'Agent', 'thread.unit': 'unit {n}', 'thread.silent': 'Nothing is said yet.',
  'thread.cancel': 'Cancel', 'thread.sureCancel': 'Cancel this thread? It ends with all threads in it; what was said can still be read.',
  'thread.masked': 'Texts are masked, as the script has sensitive variables.', 'thread.request': 'Task',
  'thread.values': 'Values found', 'threadRole.user': 'asks', 'threadRole.bot': 'answers',
  'timeline.threads': 'Threads', 'timeline.opened': 'Threads that this turn opened',

  'drafts.title': 'Restore what was not published?', 'drafts.found': 'This browser holds changes of {time} that were not published.', 'drafts.otherVersion': 'They were made to another version: look through them.',
  'drafts.restore': 'Restore', 'drafts.discard': 'Discard',
  'pictures.title': 'Pictures', 'pictures.add': 'Upload a picture', 'pictures.remove': 'Remove', 'pictures.hint': 'Name its path as the source of a show_pic. png, jpeg, gif or webp, at most 8 MB.',
  'starter.name': 'My script', 'starter.question': 'Hello, what may I call you?', 'starter.variable': 'name', 'starter.goodbye': 'Thank you, {name}. That is all for today.',

  'editor.Find': 'Find', 'editor.Replace': 'Replace', 'editor.next': 'next', 'editor.previous': 'previous',
  'editor.all': 'all', 'editor.match case': 'match case', 'editor.regexp': 'regexp', 'editor.by word': 'by word',
  'editor.replace': 'replace', 'editor.replace all': 'replace all', 'editor.close': 'close',
  'editor.current match': 'current match', 'editor.replaced $ matches': 'replaced $ matches',
  'editor.replaced match on line $': 'replaced match on line $', 'editor.on line': 'on line',
  'editor.Go to line': 'Go to line', 'editor.go': 'go', 'editor.Diagnostics': 'Diagnostics',
  'editor.No diagnostics': 'No diagnostics', 'editor.Completions': 'Completions', 'editor.Fold line': 'Fold line',
  'editor.Unfold line': 'Unfold line', 'editor.folded code': 'folded code', 'editor.unfold': 'unfold',
  'editor.Control character': 'Control character', 'editor.Selection deleted': 'Selection deleted',
  'editor.to': 'to',

  'chat.failedBefore': 'The attempt before failed: {reason}',
  'chat.unanswered': 'not answered: the turn above failed',
  'causeForm.facts': ' ({facts})',
  'causeForm.comma': ', ',
  'causeForm.quote': '“{text}”',
  'causeForm.provider': 'The model\'s provider',
  'cause.no_key':
    '{provider} asks for a key, and none is set{facts}; set OPENAI_API_KEY, or the variable that the providers file names, and start again.',
  'cause.key_rejected':
    '{provider} does not take the key{facts}; correct OPENAI_API_KEY, or the variable that the providers file names, and start again.',
  'cause.unknown_model':
    '{provider} has no such model, or not for this key{facts}; correct HEARTRULE_MODEL or the providers file, and start again.',
  'cause.wrong_address':
    'nothing at the address of {provider} answers chat completions{facts}; correct the base URL, which mostly ends in /v1, and start again.',
  'cause.quota':
    'the account at {provider} is used up{facts}; add credit there, and try again.',
  'cause.rate_limited':
    '{provider} is asked too often{facts}; wait a moment, and try again.',
  'cause.content':
    '{provider} refuses what the prompt says, by rules of its own{facts}; word it in another way, or use another provider.',
  'cause.prompt_too_long':
    'the conversation is longer than the model of {provider} takes{facts}; write something shorter, or use a model with a longer context.',
  'cause.request_refused':
    '{provider} does not take the request{facts}; check the model\'s name and the parameters in the providers file, and start again.',
  'cause.server_error':
    '{provider} reports a failure of its own{facts}; try again later.',
  'cause.connection_refused':
    'nothing listens at the address of {provider}{facts}; start the server there, or correct the base URL, and try again.',
  'cause.dns':
    'the name in the address of {provider} cannot be found{facts}; check the base URL and the network, and try again.',
  'cause.tls':
    'no trusted connection to {provider} can be made{facts}; check the certificate, https or http in the base URL, and the clock, and try again.',
  'cause.connection_lost':
    'the connection to {provider} broke{facts}; check the network, and try again.',
  'cause.timed_out':
    '{provider} did not answer in time{facts}; check the network and the base URL, or allow more time with HEARTRULE_REPLY_TIMEOUT, and try again.',
  'cause.stalled':
    '{provider} began to answer and then fell silent{facts}; try again, or allow more time with HEARTRULE_REPLY_TIMEOUT.',
  'cause.empty':
    '{provider} sent an answer without a word{facts}; try again, or use another model.',
  'cause.cut':
    'the answer of {provider} broke off{facts}; try again.',
  'cause.unreadable':
    '{provider} sent something that is no answer of a model, such as a web page{facts}; correct the base URL, which mostly ends in /v1, and try again.',
};
