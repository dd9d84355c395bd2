// 界面文字。以点分开的前半是类别：session、chat、bubble、tab 等；引擎自己的词（退出原因、状态）以其英文名为后半。

import { codesZh } from './codes_zh.js';

export const zh = {
  ...codesZh,

  'app.console': '控制台', 'app.language': '语言', 'app.skip': '跳到正文', 'app.loading': '正在读取…',
  'app.cancel': '取消', 'app.more': '更多', 'app.keep': '保存', 'app.leaveIt': '先不', 'app.unreachable': '服务器没有回应，请确认网关在运行。',
  'app.notFound': '没有这一页。', 'app.logout': '退出登录',
  'nav.sessions': '会话', 'nav.scripts': '脚本',
  'login.title': '请输入访问令牌', 'login.token': '令牌', 'login.enter': '进入', 'login.wrong': '令牌不对。',

  'sessions.title': '会话', 'sessions.none': '还没有会话。选一个脚本，开始第一场。', 'sessions.start': '开始会话', 'sessions.script': '脚本',
  'sessions.user': '来访者（可不填）', 'sessions.strategy': '开启沟通策略', 'sessions.compare': '并排比较', 'sessions.compareHint': '勾选两场会话即可并排比较。',
  'sessions.created': '开始时间', 'sessions.updated': '更新时间', 'sessions.status': '状态', 'sessions.delete': '删除', 'sessions.choose': '选择 {name}',
  'sessions.sureDelete': '删除这场会话的全部内容？此操作不可撤销。', 'sessions.forked': '分叉自', 'sessions.forkedOne': '分叉', 'sessions.more': '{name}：编号与删除', 'sessions.deleteTitle': '删除会话', 'sessions.changed': '改动了 {action}', 'sessions.noScripts': '还没有脚本，请先到“脚本”页发布一个。',
  'sessions.saved': '已存快照', 'sessions.restore': '从快照恢复', 'sessions.forget': '移除快照', 'sessions.actions': '操作',

  'status.running': '进行中', 'status.waiting_input': '等待输入', 'status.completed': '已结束', 'status.error': '出错',
  'link.connecting': '正在连接', 'link.live': '已连接', 'link.broken': '连接中断，正在重连', 'link.failed': '无法连接',
  'end.script_end': '脚本走完', 'end.idle_timeout': '闲置超时',

  'pane.position': '位置', 'pane.chat': '对话', 'pane.inspector': '调试',
  'chat.log': '对话内容', 'chat.say': '输入消息', 'chat.replies': '可以点选的回答', 'chat.send': '发送', 'chat.hint': 'Enter 发送，Shift+Enter 换行', 'chat.begin': '开始对话', 'chat.stop': '停止',
  'chat.ended': '会话已结束。', 'chat.older': '读取更早的内容', 'chat.thinking': '正在思考…', 'chat.you': '来访者', 'chat.assistant': '咨询师', 'chat.system': '系统', 'chat.counsellor': '人工咨询师',
  'chat.rejected': '输入未被接受：{reason}', 'chat.length': '{n} 字，最多 {most} 字', 'chat.failed': '这一回合失败：{reason}', 'chat.retry': '重说上一句', 'chat.waiting': '等待处理', 'chat.picture': '图片', 'chat.showPicture': '显示图片',
  'chat.placeholder': '结果还在准备', 'chat.truncated': '回复中途断开', 'chat.interrupted': '已被打断', 'chat.goingAway': '服务器即将重启，会自动重连。', 'chat.retrying': '第 {n} 次尝试', 'chat.debug': '显示调试气泡',
  'form.submit': '提交', 'form.missing': '请填写：{names}', 'form.answered': '已提交表单', 'form.optional': '（可不填）', 'form.yes': '是', 'form.no': '否',

  'turn.opening': '开场', 'turn.turn': '第 {n} 回合', 'turn.inspect': '查看这一回合', 'turn.at': '{time} 的回合', 'turn.snapshot': '存为快照', 'turn.fork': '从这里分叉', 'turn.merged': '合并了 {n} 条输入', 'turn.running': '进行中',
  'turn.snapshotName': '快照名称', 'turn.degraded': '已降级：{reason}', 'turn.safety': '危机词：{category}',

  'bubble.error': 'LLM输出JSON解析失败', 'bubble.retries': '重试次数', 'bubble.strategies': '尝试策略', 'bubble.finalError': '最终错误', 'bubble.raw': '展开原始响应',
  'bubble.variable': '变量', 'bubble.name': '变量名', 'bubble.value': '值', 'bubble.scope': '作用域', 'bubble.source': '来源', 'bubble.history': '历史', 'bubble.noHistory': '没有更早的值',
  'bubble.quote': '来访者原话', 'support.client_words': '有原话', 'support.form': '表单填写', 'support.unquoted': '没有原话', 'support.inferred': '推断得出', 'support.run': '工作流得出', 'support.unsupported': '没人说过，未采用', 'support.ahead': '提前说到', 'support.confirmed': '顺带确认', 'support.known': '已知，不再问',
  'bubble.exit': '退出判断', 'bubble.exitYes': '退出', 'bubble.exitNo': '继续', 'bubble.decisionSource': '决策来源', 'bubble.reason': '理由', 'bubble.round': '轮次', 'bubble.classification': '退出原因', 'bubble.modelExit': '模型给出的 EXIT',
  'bubble.advice': '用上了监控反馈', 'bubble.adviceText': '写入提示词的反馈', 'bubble.strategy': '沟通策略', 'bubble.skipped': '跳过 {action}', 'bubble.left': '离开{scope}', 'bubble.leftMany': '离开 {n} 个范围，清理 {cleaned} 个变量', 'bubble.cleaned': '清理的变量', 'bubble.voided': '作废了一次未完成的回复', 'bubble.metrics': '系统变量',
  'bubble.condition': '条件', 'bubble.nothingCleaned': '没有需要清理的变量',
  'scope.session': '会话', 'scope.phase': '阶段', 'scope.topic': '话题', 'scope.global': '全局', 'scope.archive': '存档',
  'source.max_rounds': '达到最大轮次', 'source.exit_flag': '模型的 EXIT 标志', 'source.exit_criteria': '退出标准', 'source.llm_suggestion': '模型建议',
  'reason.max_rounds_reached': '达到最大轮次', 'reason.exit_criteria_met': '满足退出条件', 'reason.user_blocked': '来访者受阻', 'reason.off_topic': '偏离话题',
  'bubble.signals': '信号', 'signal.echo': '照搬来访者的话', 'signal.repetition': '重复说过的话', 'signal.late_exit': '结束时还在提问', 'signal.unsupported_value': '没人说过的值', 'signal.shorter_answer': '回答变短', 'signal.question_not_answered': '没有回答问题', 'signal.same_question': '同一个问题', 'signal.language_mismatch': '语言不符', 'signal.client_not_answered': '没有回答来访者', 'signal.feeling_passed_over': '略过强烈感受',
  'metric.informationCompleteness': '信息完整度', 'metric.userEngagement': '投入程度', 'metric.emotionalIntensity': '情绪强度', 'metric.replyRelevance': '回答相关性', 'metric.understandingLevel': '理解程度',
  'suggestion.continue_needed': '需要继续', 'suggestion.completed': '已完成', 'suggestion.blocked': '受阻', 'suggestion.off_topic': '偏题',

  'tree.label': '脚本位置', 'tree.phase': '阶段', 'tree.topic': '话题', 'tree.round': '第 {n}/{max} 轮', 'tree.inserted': '插入', 'tree.mandatory': '必做',
  'tree.edits': '动作编排', 'tree.undo': '撤销', 'tree.edit': '改问题再试', 'state.pending': '未开始', 'state.running': '进行中', 'state.completed': '已完成', 'state.skipped': '已跳过',
  'edit.insert': '插入', 'edit.modify': '修改', 'edit.skip': '跳过', 'edit.reorder': '重排', 'edit.undo': '撤销先前的编排', 'editState.pending': '待生效', 'editState.applied': '已生效', 'editState.rejected': '被拒绝', 'editState.undone': '已撤销', 'editState.expired': '已过期', 'edit.rule': '规则', 'edit.before': '之前', 'edit.after': '之后',

  'tab.more': '更多标签页', 'tab.turn': '回合', 'tab.variables': '变量', 'tab.exits': '退出', 'tab.advice': '监控', 'tab.strategy': '策略', 'tab.calls': '模型调用', 'tab.timeline': '时间线', 'tab.decisions': '决策',
  'turnTab.none': '在对话里选一个回合，或说一句话。', 'turnTab.chosen': '所选回合', 'turnTab.latest': '最近的回合', 'turnTab.outcome': '结果', 'turnTab.follow': '跟随最新',
  'outcome.waiting': '等待来访者', 'outcome.session_completed': '会话结束', 'outcome.interrupted': '被打断', 'outcome.failed': '失败', 'outcome.preempted': '让位',
  'variables.now': '现在的变量', 'variables.none': '还没有变量。', 'variables.archived': '存档', 'variables.changed': '更新', 'variables.operations': '提取历史', 'variables.snapshots': '作用域切换', 'variables.filter': '筛选变量',
  'operation.extract': '提取', 'operation.update': '更新', 'operation.delete': '删除', 'operation.declare': '声明', 'operation.set': '写入',
  'exits.none': '还没有退出判断。', 'exits.words': '何时结束（脚本）', 'exits.criteria': '退出条件', 'exits.sources': '可以决定的', 'exits.outputsKnown': '要了解的都已知道', 'exits.understanding': '理解程度不低于 {level}', 'exits.noQuestions': '没有疑问', 'exits.minRounds': '至少 {n} 轮', 'exits.action': '动作',
  'decisions.none': '还没有决策：只有智能体或操作员会做决策。', 'decisions.waiting': '尚未完成', 'decisions.over': '已有结果', 'decisions.corrections': '修正', 'decisions.errors': '拒绝的原因', 'decisions.path': '字段', 'decisions.before': '原值', 'decisions.after': '修正后', 'decisions.removed': '已去掉', 'decisions.unjudged': '还没有轮到验证。', 'decisions.payload': '提出的载荷', 'decisions.effective': '生效的载荷', 'decisions.turn': '所在回合', 'decisions.between': '在两个回合之间提出', 'decisions.workflows': '工作流', 'decisions.revision': '第 {n} 版',
  'decisionType.respond': '回答', 'decisionType.create_node': '添加节点', 'decisionType.create_workflow_plan': '规划工作流', 'decisionType.execute_workflow': '运行工作流', 'decisionType.request_clarification': '反问', 'decisionType.continue': '继续思考', 'decisionType.modify_node': '修改节点', 'decisionType.error_recovery': '错误恢复', 'decisionType.replan_workflow': '重新规划', 'decisionType.spawn_subagent': '调用子智能体',
  'author.agent': '智能体', 'author.coordinator': '协调者', 'author.operator': '操作员',
  'decisionState.queued': '排队', 'decisionState.held': '暂停', 'decisionState.running': '进行中', 'decisionState.interrupted': '中断', 'decisionState.done': '完成', 'decisionState.rejected': '拒绝', 'decisionState.superseded': '被取代',
  'workflowStatus.draft': '草稿', 'workflowStatus.ready': '可运行', 'workflowStatus.running': '运行中', 'workflowStatus.completed': '完成', 'workflowStatus.failed': '失败',
  'advice.none': '监控还没有给出反馈。', 'advice.about': '针对第 {n} 轮', 'advice.prompt': '它进入的提示词', 'advice.notUsed': '还没有进入任何提示词。', 'advice.usedIn': '用于回合', 'advice.analysis': '分析', 'advice.analyses': '每轮的监控结果', 'advice.supersedes': '取代了更早的反馈',
  'adviceState.pending': '待使用', 'adviceState.consumed': '已使用', 'adviceState.expired': '已过期', 'adviceState.superseded': '被取代',
  'severity.info': '提示', 'severity.concern': '需干预', 'severity.urgent': '需编排',
  'result.advice': '给出反馈', 'result.no_advice': '无需反馈', 'result.failed': '失败', 'result.dropped': '放弃', 'result.skipped': '未询问',
  'planning.owed': '待编排', 'planning.proposed': '已提出编排', 'planning.no_plan': '无需编排', 'planning.failed': '编排失败', 'planning.dropped': '编排放弃', 'planning.skipped': '未编排',
  'strategy.none': '没有策略记录。沟通策略默认关闭，可在开始会话时开启。', 'strategy.state': '用户状态分析', 'strategy.considerations': '关键考虑', 'strategy.rationale': '策略理由', 'strategy.prompt': '策略建议', 'strategy.compare': '与之前的决策比较', 'strategy.earlier': '之前的决策', 'strategy.situation': '当时情况',
  'calls.none': '这一回合没有模型调用。', 'calls.prompt': '提示词', 'calls.response': '响应', 'calls.tokens': '{prompt} + {completion} tokens', 'calls.parse': '解析', 'calls.config': '参数', 'calls.first': '首字',
  'purpose.talk': '对话', 'purpose.monitor': '监控', 'purpose.think': '思考', 'purpose.strategy': '策略', 'purpose.decide': '决策', 'purpose.workflow': '工作流', 'purpose.thread': '子线程', 'purpose.plan': '编排',
  'timeline.quiet': '这一回合里没有', 'timeline.main': '主线', 'timeline.monitor': '监控线', 'timeline.none': '没有可显示的时间线。', 'timeline.links': '关联', 'timeline.hint': '监控在主线之外运行；“关联”说明它改变了什么。', 'timeline.table': '以表格查看', 'timeline.what': '步骤', 'timeline.from': '开始', 'timeline.took': '用时',
  'kind.thread': '子线程', 'kind.turn': '整个回合', 'kind.attempt': '尝试', 'kind.step': '步骤', 'kind.message': '消息', 'kind.model_call': '模型', 'kind.decision': '决策', 'kind.strategy': '策略', 'kind.analysis': '分析', 'kind.advice': '反馈', 'kind.plan_edit': '编排',
  'relation.judges': '评判', 'relation.made': '产生', 'relation.used_in': '用于', 'relation.used': '用了', 'relation.caused': '引发',

  'scripts.title': '脚本', 'scripts.none': '还没有脚本。', 'scripts.new': '新脚本', 'scripts.name': '名称', 'scripts.version': '版本', 'scripts.findings': '检查结果', 'scripts.clean': '没有问题', 'scripts.errors': '{n} 处错误', 'scripts.warnings': '{n} 处警告', 'scripts.notes': '{n} 处提示',
  'scripts.edit': '编辑', 'scripts.publish': '发布', 'scripts.published': '已发布第 {n} 版。', 'scripts.start': '用它开始会话', 'scripts.unsaved': '有未发布的修改', 'scripts.file': '文件', 'scripts.editor': '脚本编辑器', 'scripts.checking': '正在检查…', 'scripts.versions': '历史版本', 'scripts.line': '第 {line} 行，第 {column} 列', 'scripts.completion': 'Ctrl+空格 补全，Ctrl+F 查找', 'scripts.current': '当前', 'scripts.publishFirst': '先发布，再开始会话。',
  'finding.error': '错误', 'finding.warning': '警告', 'finding.note': '提示',

  'fork.title': '改一个动作，从它之前再来一次', 'fork.hint': '新会话停在这个动作开始之前，原会话不变。以 JSON 写出动作的全部设置。', 'fork.action': '动作', 'fork.config': '动作设置', 'fork.run': '分叉并运行', 'fork.bad': '不是合法的 JSON：{reason}', 'fork.side': '分叉后并排比较',
  'compare.left': '左', 'compare.right': '右',

  'safety.alerts': '警报（{n}）', 'safety.operator': '你的名字', 'safety.operatorHint': '先填写名字，才能确认警报；名字只保存在这个浏览器和确认记录里。', 'safety.acknowledge': '确认已看到',
  'safety.delivered': '已送达', 'safety.undelivered': '未送达', 'safety.failedDelivery': '未送达，失败 {n} 次', 'safety.refused': '输入被拒绝',
  'safety.title': '安全', 'safety.frozen': '位置已冻结', 'safety.off': '安全检查已关闭', 'safety.step': '步骤', 'safety.denials': '明确否认', 'safety.quiet': '平静回合', 'safety.rules': '规则', 'safety.seenBy': '确认人', 'safety.note': '备注',
  'safety.close': '结束安全流程', 'safety.closeTitle': '结束这场会话的安全流程', 'safety.closeHint': '脚本会从停下的地方继续。只有与来访者确认过安全之后才这样做。备注里不要写来访者的原话。', 'safety.closeRun': '确认结束',
  'safety.unreviewed': '安全文本尚未经专业人员审读（{n} 个文件）', 'safety.outdated': '有 {n} 个求助资源超过 180 天没有核实',
  'safety.unsent': '你刚才写的话没有发出去，这里现在没有人能看到。如果你正处在危险中，或者有不想活下去的念头，请直接联系：',
  'level.none': '无', 'level.concern': '需要关心', 'level.third_party': '担心他人', 'level.emergency': '他人危险', 'level.crisis': '危机', 'level.imminent': '紧急危险',
  'safetyStep.ask': '询问', 'safetyStep.help': '如何帮助', 'safetyStep.call': '紧急电话', 'safetyStep.reach': '求助的困难', 'safetyStep.someone': '信任的人', 'safetyStep.company': '找人陪伴', 'safetyStep.distance': '远离工具', 'safetyStep.stay': '再次询问', 'safetyStep.left': '已离开',
  'safetySource.rule': '规则', 'safetySource.form_item': '表单', 'safetySource.context': '对提问的回答', 'safetySource.classifier': '分类器', 'safetySource.monitor': '监控', 'safetySource.operator': '人工',

  'tab.runs': '运行', 'timeline.runs': '这一回合开始的工作流运行', 'run.open': '{name} 的运行', 'run.none': '这个会话里还没有运行过工作流。',
  'run.back': '回到会话', 'run.missing': '没有这个运行', 'run.missingWhy': '这个会话里没有运行 {run}。地址可能不完整，或属于另一个会话。',
  'run.others': '这个会话的全部运行', 'run.cancel': '取消运行', 'run.sureCancel': '要结束这个运行吗？未结束的节点会被取消；它们在外部做过的事不会撤销。',
  'run.waits': '有节点失败，要等有人做出决策后才会继续：', 'run.masked': '脚本含敏感变量，文字已遮盖，因此也画不出流程图。', 'run.reveal': '显示',
  'run.workflow': '工作流', 'run.queued': '排队时间', 'run.began': '开始', 'run.ended': '结束', 'run.wakes': '将继续于',
  'run.deadline': '最晚到', 'run.begunBy': '由决策开始', 'run.replaces': '取代运行', 'run.landing': '在对话中',
  'run.takenBack': '开始它的回合已被撤回。', 'run.trimmed': '输入、输出和文件已过保留期，不在了。', 'run.note': '备注', 'run.graph': '流程图',
  'run.noGraph': '流程图画不出来；表格里有全部内容。', 'run.chosen': '所选节点', 'run.choose': '点一个节点，查看它的尝试、输入、输出和文件。', 'run.table': '节点',
  'run.cut': '只显示前 {n} 次尝试。', 'run.files': '文件', 'run.given': '运行的输入', 'run.node': '节点', 'run.type': '类型',
  'run.state': '状态', 'run.attempts': '尝试', 'run.after': '前置节点', 'run.if': '当', 'run.inLoop': '在循环 {name} 中',
  'run.turn': '第 {n} 轮', 'run.attempt': '第 {n} 次尝试', 'run.notBegun': '还没有开始。', 'run.inputs': '输入', 'run.output': '输出',
  'run.large': '超过 16 KiB：下载', 'run.largeClosed': '超过 16 KiB，在这里无法读取。', 'run.bytes': '{n} 字节', 'run.plan': '计划中的写法',
  'run.unread': '无法计算的条件', 'run.outside': '对外部', 'run.effect': '做了（或可能做了）无法撤回的事。', 'run.retryable': '重试可能成功',
  'runState.queued': '排队', 'runState.running': '运行中', 'runState.waiting_decision': '等待决策', 'runState.completed': '完成',
  'runState.failed': '失败', 'runState.cancelled': '已取消', 'runState.interrupted': '中断',
  'nodeState.pending': '未开始', 'nodeState.running': '运行中', 'nodeState.retrying': '重试',
  'nodeState.waiting_decision': '等待决策', 'nodeState.completed': '完成', 'nodeState.failed': '失败',
  'nodeState.skipped': '跳过', 'nodeState.cancelled': '已取消',
  'skipReason.condition': '之前的节点走了别的分支', 'skipReason.upstream': '之前的节点都没有运行', 'skipReason.recovery': '失败后由恢复决策跳过',
  'runLanding.waits': '等下一回合接上', 'runLanding.taken': '已接上', 'runLanding.session_over': '会话已先结束',
  'runCode.timeout': '超时', 'runCode.connection': '连接不上', 'runCode.http_4xx': 'HTTP 400–499',
  'runCode.http_5xx': 'HTTP 500–599', 'runCode.refused': '不允许', 'runCode.limit': '超出限制', 'runCode.code_error': '代码出错',
  'runCode.unreadable': '结果无法读取', 'runCode.sandbox_gone': '沙箱中断', 'runCode.missing_value': '引用没有值',
  'runCode.model_error': '模型没有回答', 'runCode.run_timeout': '运行超时', 'runCode.worker_lost': '执行进程多次丢失',
  'runCode.engine_version': '由旧版本开始，无法继续', 'runCode.aborted': '由恢复决策终止',

  'thread.title': '子线程', 'thread.agent': '智能体', 'thread.unit': '单元 {n}', 'thread.silent': '还没有人说话。',
  'thread.cancel': '取消', 'thread.sureCancel': '要取消这个子线程吗？它和其中的子线程都会结束，已说过的话仍可查看。',
  'thread.masked': '脚本含敏感变量，文字已遮盖。', 'thread.request': '任务', 'thread.values': '得出的值',
  'threadRole.user': '提问', 'threadRole.bot': '回答',
  'timeline.threads': '子线程', 'timeline.opened': '这一回合打开的子线程',

  'drafts.title': '恢复没有发布的修改？', 'drafts.found': '这个浏览器里有 {time} 写下、还没有发布的修改。', 'drafts.otherVersion': '它写在另一个版本上，恢复后请核对。',
  'drafts.restore': '恢复', 'drafts.discard': '丢弃',
  'pictures.title': '图片', 'pictures.add': '上传图片', 'pictures.remove': '移除', 'pictures.hint': '在 show_pic 的 source 里写图片的路径。png、jpeg、gif 或 webp，最大 8 MB。',
  'starter.name': '我的脚本', 'starter.question': '你好，我可以怎么称呼你？', 'starter.variable': '称呼', 'starter.goodbye': '谢谢你，{称呼}，今天先到这里。',

  'editor.Find': '查找', 'editor.Replace': '替换为', 'editor.next': '下一个', 'editor.previous': '上一个', 'editor.all': '全选',
  'editor.match case': '区分大小写', 'editor.regexp': '正则表达式', 'editor.by word': '整词', 'editor.replace': '替换',
  'editor.replace all': '全部替换', 'editor.close': '关闭', 'editor.current match': '当前匹配',
  'editor.replaced $ matches': '替换了 $ 处', 'editor.replaced match on line $': '替换了第 $ 行', 'editor.on line': '在第几行：',
  'editor.Go to line': '转到行', 'editor.go': '转到', 'editor.Diagnostics': '检查结果', 'editor.No diagnostics': '没有问题',
  'editor.Completions': '补全', 'editor.Fold line': '折叠', 'editor.Unfold line': '展开', 'editor.folded code': '折叠的内容',
  'editor.unfold': '展开', 'editor.Control character': '控制字符', 'editor.Selection deleted': '已删除所选', 'editor.to': '到',

  'chat.failedBefore': '上一次尝试失败：{reason}',
  'chat.unanswered': '尚未回答：前面的回合失败了',
  'causeForm.facts': '（{facts}）',
  'causeForm.comma': '，',
  'causeForm.quote': '“{text}”',
  'causeForm.provider': '模型服务商',
  'cause.no_key':
    '{provider} 需要密钥，但没有设置{facts}；请设置 OPENAI_API_KEY（或服务商文件里写的变量）后重新启动。',
  'cause.key_rejected':
    '{provider} 不接受这个密钥{facts}；请改正 OPENAI_API_KEY（或服务商文件里写的变量）后重新启动。',
  'cause.unknown_model':
    '{provider} 没有这个模型，或这个密钥不能用它{facts}；请改正 HEARTRULE_MODEL 或服务商文件后重新启动。',
  'cause.wrong_address':
    '{provider} 的地址上没有对话接口{facts}；请改正 base URL（多以 /v1 结尾）后重新启动。',
  'cause.quota':
    '{provider} 的账户额度已用完{facts}；请充值后重试。',
  'cause.rate_limited':
    '对 {provider} 的请求过于频繁{facts}；请稍候重试。',
  'cause.content':
    '{provider} 按它自己的规则拒绝了这段内容{facts}；请换一种说法，或换一个服务商。',
  'cause.prompt_too_long':
    '对话超过了 {provider} 的模型能读的长度{facts}；请写短一些，或换一个上下文更长的模型。',
  'cause.request_refused':
    '{provider} 不接受这个请求{facts}；请检查模型名和服务商文件里的参数后重新启动。',
  'cause.server_error':
    '{provider} 报告自身出错{facts}；请稍后重试。',
  'cause.connection_refused':
    '{provider} 的地址上没有服务（连接被拒绝）{facts}；请启动那里的服务或改正 base URL 后重试。',
  'cause.dns':
    '找不到 {provider} 地址中的域名{facts}；请检查 base URL 和网络后重试。',
  'cause.tls':
    '无法与 {provider} 建立可信的连接（TLS）{facts}；请检查证书、base URL 的 https/http 和系统时间后重试。',
  'cause.connection_lost':
    '与 {provider} 的连接中断{facts}；请检查网络后重试。',
  'cause.timed_out':
    '{provider} 没有及时应答{facts}；请检查网络和 base URL，或用 HEARTRULE_REPLY_TIMEOUT 放宽时限后重试。',
  'cause.stalled':
    '{provider} 开始应答后没有了下文{facts}；请重试，或用 HEARTRULE_REPLY_TIMEOUT 放宽时限。',
  'cause.empty':
    '{provider} 的应答是空的{facts}；请重试，或换一个模型。',
  'cause.cut':
    '{provider} 的应答中途断开{facts}；请重试。',
  'cause.unreadable':
    '{provider} 发来的不是模型的应答（例如一个网页）{facts}；请改正 base URL（多以 /v1 结尾）后重试。',
};
