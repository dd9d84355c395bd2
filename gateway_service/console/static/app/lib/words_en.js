// The page's words in English; the keys are those of words_zh.js.

export const en = {
  'app.console': 'console', 'app.language': 'Language', 'app.skip': 'Skip to content', 'app.loading': 'Loading…', 'app.retry': 'Try again',
  'app.close': 'Close', 'app.cancel': 'Cancel', 'app.refresh': 'Refresh', 'app.more': 'More', 'app.unreachable': 'The server does not answer. Is the gateway running?',
  'app.notFound': 'There is no such page.', 'app.copy': 'Copy', 'app.logout': 'Log out',
  'nav.sessions': 'Sessions', 'nav.scripts': 'Scripts',
  'login.title': 'Enter the access token', 'login.token': 'Token', 'login.enter': 'Enter', 'login.wrong': 'That is not the token.',

  'sessions.title': 'Sessions', 'sessions.none': 'No sessions yet. Choose a script and begin the first.', 'sessions.start': 'Start a session', 'sessions.script': 'Script',
  'sessions.user': 'Client (optional)', 'sessions.strategy': 'Strategy engine on', 'sessions.open': 'Open', 'sessions.compare': 'Side by side', 'sessions.compareHint': 'Tick two sessions to see them side by side.',
  'sessions.created': 'Begun', 'sessions.updated': 'Changed', 'sessions.status': 'Status', 'sessions.delete': 'Delete', 'sessions.choose': 'Choose {name}',
  'sessions.sureDelete': 'Delete everything in this session? This cannot be undone.', 'sessions.forked': 'forked from', 'sessions.changed': 'with another {action}', 'sessions.noScripts': 'No scripts yet. Publish one on the Scripts page first.',
  'sessions.saved': 'Saved snapshots', 'sessions.restore': 'Restore', 'sessions.forget': 'Remove snapshot', 'sessions.actions': 'Actions',

  'status.running': 'running', 'status.waiting_input': 'waiting for input', 'status.completed': 'completed', 'status.error': 'error',
  'link.connecting': 'connecting', 'link.live': 'connected', 'link.broken': 'line lost, connecting again', 'link.failed': 'no connection',
  'end.script_end': 'end of script', 'end.idle_timeout': 'idle for too long',

  'pane.position': 'Position', 'pane.chat': 'Chat', 'pane.inspector': 'Inspector',
  'chat.log': 'Conversation', 'chat.say': 'Your message', 'chat.send': 'Send', 'chat.hint': 'Enter sends, Shift+Enter breaks the line', 'chat.begin': 'Begin', 'chat.stop': 'Stop',
  'chat.ended': 'The session has ended.', 'chat.older': 'Read what came before', 'chat.thinking': 'Thinking…', 'chat.you': 'Client', 'chat.assistant': 'Assistant', 'chat.system': 'System', 'chat.counsellor': 'Counsellor',
  'chat.rejected': 'Not accepted: {reason}', 'chat.failed': 'This turn failed: {reason}', 'chat.retry': 'Say the last message again', 'chat.waiting': 'waiting', 'chat.picture': 'Picture',
  'chat.truncated': 'broke off', 'chat.interrupted': 'interrupted', 'chat.goingAway': 'The server restarts soon; the page will connect again.', 'chat.retrying': 'attempt {n}', 'chat.debug': 'Show debug bubbles',
  'form.submit': 'Submit', 'form.required': 'required', 'form.missing': 'Please fill in: {names}', 'form.answered': 'Form submitted', 'form.choose': 'Choose', 'form.optional': '(optional)',

  'turn.opening': 'Opening', 'turn.turn': 'Turn {n}', 'turn.inspect': 'Inspect this turn', 'turn.snapshot': 'Save snapshot', 'turn.fork': 'Fork from here', 'turn.merged': '{n} inputs merged', 'turn.running': 'running',
  'turn.snapshotName': 'Name of the snapshot', 'turn.snapshotSaved': 'Snapshot saved.', 'turn.degraded': 'Degraded: {reason}', 'turn.safety': 'Crisis words: {category}',

  'bubble.error': 'The model’s JSON could not be read', 'bubble.retries': 'Retries', 'bubble.strategies': 'Strategies tried', 'bubble.finalError': 'Final error', 'bubble.raw': 'Show the raw response',
  'bubble.variable': 'Variable', 'bubble.name': 'Name', 'bubble.value': 'Value', 'bubble.scope': 'Scope', 'bubble.source': 'Source', 'bubble.history': 'History', 'bubble.noHistory': 'No earlier value',
  'bubble.exit': 'Exit decision', 'bubble.exitYes': 'exit', 'bubble.exitNo': 'continue', 'bubble.decisionSource': 'Decided by', 'bubble.reason': 'Reason', 'bubble.round': 'Round', 'bubble.classification': 'Exit reason', 'bubble.modelExit': 'The model’s EXIT',
  'bubble.advice': 'Advice used', 'bubble.adviceText': 'What entered the prompt', 'bubble.strategy': 'Strategy', 'bubble.skipped': '{action} skipped', 'bubble.left': 'left {scope}', 'bubble.cleaned': 'Variables cleaned', 'bubble.voided': 'An unfinished reply was voided', 'bubble.metrics': 'Metrics',
  'bubble.condition': 'Condition', 'bubble.nothingCleaned': 'Nothing to clean',
  'scope.session': 'session', 'scope.phase': 'phase', 'scope.topic': 'topic', 'scope.global': 'global', 'scope.archive': 'archive',
  'source.max_rounds': 'round limit', 'source.exit_flag': 'the model’s EXIT flag', 'source.exit_criteria': 'exit criteria', 'source.llm_suggestion': 'the model’s suggestion',
  'reason.max_rounds_reached': 'round limit reached', 'reason.exit_criteria_met': 'exit criteria met', 'reason.user_blocked': 'client blocked', 'reason.off_topic': 'off topic',
  'metric.informationCompleteness': 'Information completeness', 'metric.userEngagement': 'Engagement', 'metric.emotionalIntensity': 'Emotional intensity', 'metric.replyRelevance': 'Reply relevance', 'metric.understandingLevel': 'Understanding',
  'suggestion.continue_needed': 'continue needed', 'suggestion.completed': 'completed', 'suggestion.blocked': 'blocked', 'suggestion.off_topic': 'off topic',

  'tree.label': 'Position in the script', 'tree.phase': 'Phase', 'tree.topic': 'Topic', 'tree.round': 'round {n}/{max}', 'tree.plan': 'Actions of this topic', 'tree.noPlan': 'Actions show once a topic is entered.', 'tree.inserted': 'inserted', 'tree.mandatory': 'mandatory',
  'tree.edits': 'Plan edits', 'tree.undo': 'Undo', 'tree.edit': 'Change and run again', 'state.pending': 'not started', 'state.running': 'running', 'state.completed': 'completed', 'state.skipped': 'skipped',
  'edit.insert': 'insert', 'edit.modify': 'modify', 'edit.skip': 'skip', 'edit.reorder': 'reorder', 'edit.undo': 'undo of an edit', 'editState.pending': 'pending', 'editState.applied': 'applied', 'editState.rejected': 'rejected', 'editState.undone': 'undone', 'editState.expired': 'expired', 'edit.rule': 'Rule', 'edit.before': 'Before', 'edit.after': 'After',

  'tab.turn': 'Turn', 'tab.variables': 'Variables', 'tab.exits': 'Exits', 'tab.advice': 'Monitor', 'tab.strategy': 'Strategy', 'tab.calls': 'Model calls', 'tab.timeline': 'Time line',
  'turnTab.none': 'Choose a turn in the chat, or say something.', 'turnTab.chosen': 'Chosen turn', 'turnTab.latest': 'Latest turn', 'turnTab.outcome': 'Outcome', 'turnTab.follow': 'Follow the latest',
  'outcome.waiting': 'waits for the client', 'outcome.session_completed': 'session completed', 'outcome.interrupted': 'interrupted', 'outcome.failed': 'failed', 'outcome.preempted': 'made room',
  'variables.now': 'Variables now', 'variables.none': 'No variables yet.', 'variables.archived': 'archived', 'variables.type': 'Type', 'variables.changed': 'Changed', 'variables.operations': 'Extractions', 'variables.snapshots': 'Scope switches', 'variables.definitions': 'Definitions', 'variables.filter': 'Filter variables',
  'operation.extract': 'extract', 'operation.update': 'update', 'operation.delete': 'delete', 'operation.declare': 'declare', 'operation.set': 'set',
  'exits.none': 'No exit decision yet.', 'exits.criteria': 'Exit criteria as prompted', 'exits.action': 'Action',
  'advice.none': 'The monitor has given no advice yet.', 'advice.about': 'about round {n}', 'advice.prompt': 'The prompt it entered', 'advice.notUsed': 'It has entered no prompt.', 'advice.usedIn': 'Used in turn', 'advice.analysis': 'Analysis', 'advice.analyses': 'What the monitor made of each round', 'advice.supersedes': 'took the place of an older advice',
  'adviceState.pending': 'pending', 'adviceState.consumed': 'used', 'adviceState.expired': 'expired', 'adviceState.superseded': 'superseded',
  'severity.info': 'info', 'severity.concern': 'intervene', 'severity.urgent': 'edit the plan',
  'result.advice': 'advice', 'result.no_advice': 'no advice needed', 'result.failed': 'failed', 'result.dropped': 'dropped', 'result.skipped': 'not asked',
  'planning.owed': 'plan owed', 'planning.proposed': 'plan proposed', 'planning.no_plan': 'no plan', 'planning.failed': 'planning failed', 'planning.dropped': 'planning dropped', 'planning.skipped': 'planning skipped',
  'strategy.none': 'No strategy yet. The engine is off unless a session turns it on.', 'strategy.state': 'The client’s state', 'strategy.considerations': 'Key considerations', 'strategy.rationale': 'Rationale', 'strategy.prompt': 'Recommendation', 'strategy.compare': 'Compare with an earlier decision', 'strategy.earlier': 'Earlier decision', 'strategy.situation': 'Situation',
  'calls.none': 'This turn made no model call.', 'calls.prompt': 'Prompt', 'calls.response': 'Response', 'calls.tokens': '{prompt} + {completion} tokens', 'calls.parse': 'Reading', 'calls.config': 'Parameters', 'calls.all': 'All turns', 'calls.first': 'first text',
  'purpose.talk': 'talk', 'purpose.monitor': 'monitor', 'purpose.think': 'think', 'purpose.strategy': 'strategy', 'purpose.plan': 'plan',
  'timeline.quiet': 'nothing in this turn', 'timeline.main': 'Main line', 'timeline.monitor': 'Monitor', 'timeline.none': 'No time line to show.', 'timeline.links': 'Links', 'timeline.hint': 'The monitor runs beside the main line; the links tell what it changed.', 'timeline.table': 'As a table', 'timeline.what': 'Step', 'timeline.from': 'From', 'timeline.took': 'Took',
  'kind.turn': 'whole turn', 'kind.attempt': 'attempt', 'kind.step': 'step', 'kind.message': 'message', 'kind.model_call': 'model', 'kind.strategy': 'strategy', 'kind.analysis': 'analysis', 'kind.advice': 'advice', 'kind.plan_edit': 'plan edit',
  'relation.judges': 'judges', 'relation.made': 'made', 'relation.used_in': 'used in', 'relation.used': 'used', 'relation.caused': 'caused',

  'scripts.title': 'Scripts', 'scripts.none': 'No scripts yet.', 'scripts.new': 'New script', 'scripts.name': 'Name', 'scripts.version': 'Version', 'scripts.findings': 'Check', 'scripts.clean': 'clean', 'scripts.errors': '{n} errors', 'scripts.warnings': '{n} warnings', 'scripts.notes': '{n} notes',
  'scripts.edit': 'Edit', 'scripts.publish': 'Publish', 'scripts.published': 'Published as version {n}.', 'scripts.start': 'Start a session with it', 'scripts.unsaved': 'not published yet', 'scripts.file': 'File', 'scripts.editor': 'Script editor', 'scripts.checking': 'Checking…', 'scripts.versions': 'Versions', 'scripts.line': 'line {line}, column {column}', 'scripts.completion': 'Ctrl+Space completes, Ctrl+F searches', 'scripts.current': 'current', 'scripts.publishFirst': 'Publish it before you start a session.',
  'finding.error': 'error', 'finding.warning': 'warning', 'finding.note': 'note',

  'fork.title': 'Change one action and run again from just before it', 'fork.hint': 'The new session stands just before this action begins; this one stays as it is. Write the action’s whole configuration as JSON.', 'fork.action': 'Action', 'fork.config': 'Configuration', 'fork.run': 'Fork and run', 'fork.bad': 'This is not JSON: {reason}', 'fork.side': 'Show both side by side', 'fork.globals': 'Global variables keep their values: {names}',
  'compare.title': 'Side by side', 'compare.left': 'Left', 'compare.right': 'Right',
};
