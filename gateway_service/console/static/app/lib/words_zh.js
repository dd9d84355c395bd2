// 界面文字。以点分开的前半是类别：session、chat、bubble、tab 等；引擎自己的词（退出原因、状态）以其英文名为后半。

export const zh = {
  'app.console': '控制台', 'app.language': '语言', 'app.skip': '跳到正文', 'app.loading': '正在读取…', 'app.retry': '重试',
  'app.close': '关闭', 'app.cancel': '取消', 'app.refresh': '刷新', 'app.more': '更多', 'app.unreachable': '服务器没有回应，请确认网关在运行。',
  'app.notFound': '没有这一页。', 'app.copy': '复制', 'app.logout': '退出登录',
  'nav.sessions': '会话', 'nav.scripts': '脚本',
  'login.title': '请输入访问令牌', 'login.token': '令牌', 'login.enter': '进入', 'login.wrong': '令牌不对。',

  'sessions.title': '会话', 'sessions.none': '还没有会话。选一个脚本，开始第一场。', 'sessions.start': '开始会话', 'sessions.script': '脚本',
  'sessions.user': '来访者（可不填）', 'sessions.strategy': '开启沟通策略', 'sessions.open': '打开', 'sessions.compare': '并排比较', 'sessions.compareHint': '勾选两场会话即可并排比较。',
  'sessions.created': '开始时间', 'sessions.updated': '更新时间', 'sessions.status': '状态', 'sessions.delete': '删除', 'sessions.choose': '选择 {name}',
  'sessions.sureDelete': '删除这场会话的全部内容？此操作不可撤销。', 'sessions.forked': '分叉自', 'sessions.changed': '改动了 {action}', 'sessions.noScripts': '还没有脚本，请先到“脚本”页发布一个。',
  'sessions.saved': '已存快照', 'sessions.restore': '从快照恢复', 'sessions.forget': '移除快照', 'sessions.actions': '操作',

  'status.running': '进行中', 'status.waiting_input': '等待输入', 'status.completed': '已结束', 'status.error': '出错',
  'link.connecting': '正在连接', 'link.live': '已连接', 'link.broken': '连接中断，正在重连', 'link.failed': '无法连接',
  'end.script_end': '脚本走完', 'end.idle_timeout': '闲置超时',

  'pane.position': '位置', 'pane.chat': '对话', 'pane.inspector': '调试',
  'chat.log': '对话内容', 'chat.say': '输入消息', 'chat.send': '发送', 'chat.hint': 'Enter 发送，Shift+Enter 换行', 'chat.begin': '开始对话', 'chat.stop': '停止',
  'chat.ended': '会话已结束。', 'chat.older': '读取更早的内容', 'chat.thinking': '正在思考…', 'chat.you': '来访者', 'chat.assistant': '咨询师', 'chat.system': '系统', 'chat.counsellor': '人工咨询师',
  'chat.rejected': '输入未被接受：{reason}', 'chat.failed': '这一回合失败：{reason}', 'chat.retry': '重说上一句', 'chat.waiting': '等待处理', 'chat.picture': '图片',
  'chat.truncated': '回复中途断开', 'chat.interrupted': '已被打断', 'chat.goingAway': '服务器即将重启，会自动重连。', 'chat.retrying': '第 {n} 次尝试', 'chat.debug': '显示调试气泡',
  'form.submit': '提交', 'form.required': '必填', 'form.missing': '请填写：{names}', 'form.answered': '已提交表单', 'form.choose': '请选择', 'form.optional': '（可不填）',

  'turn.opening': '开场', 'turn.turn': '第 {n} 回合', 'turn.inspect': '查看这一回合', 'turn.snapshot': '存为快照', 'turn.fork': '从这里分叉', 'turn.merged': '合并了 {n} 条输入', 'turn.running': '进行中',
  'turn.snapshotName': '快照名称', 'turn.snapshotSaved': '快照已保存。', 'turn.degraded': '已降级：{reason}', 'turn.safety': '危机词：{category}',

  'bubble.error': 'LLM输出JSON解析失败', 'bubble.retries': '重试次数', 'bubble.strategies': '尝试策略', 'bubble.finalError': '最终错误', 'bubble.raw': '展开原始响应',
  'bubble.variable': '变量', 'bubble.name': '变量名', 'bubble.value': '值', 'bubble.scope': '作用域', 'bubble.source': '来源', 'bubble.history': '历史', 'bubble.noHistory': '没有更早的值',
  'bubble.exit': '退出判断', 'bubble.exitYes': '退出', 'bubble.exitNo': '继续', 'bubble.decisionSource': '决策来源', 'bubble.reason': '理由', 'bubble.round': '轮次', 'bubble.classification': '退出原因', 'bubble.modelExit': '模型给出的 EXIT',
  'bubble.advice': '用上了监控反馈', 'bubble.adviceText': '写入提示词的反馈', 'bubble.strategy': '沟通策略', 'bubble.skipped': '跳过 {action}', 'bubble.left': '离开{scope}', 'bubble.cleaned': '清理的变量', 'bubble.voided': '作废了一次未完成的回复', 'bubble.metrics': '系统变量',
  'bubble.condition': '条件', 'bubble.nothingCleaned': '没有需要清理的变量',
  'scope.session': '会话', 'scope.phase': '阶段', 'scope.topic': '话题', 'scope.global': '全局', 'scope.archive': '存档',
  'source.max_rounds': '达到最大轮次', 'source.exit_flag': '模型的 EXIT 标志', 'source.exit_criteria': '退出标准', 'source.llm_suggestion': '模型建议',
  'reason.max_rounds_reached': '达到最大轮次', 'reason.exit_criteria_met': '满足退出条件', 'reason.user_blocked': '来访者受阻', 'reason.off_topic': '偏离话题',
  'metric.informationCompleteness': '信息完整度', 'metric.userEngagement': '投入程度', 'metric.emotionalIntensity': '情绪强度', 'metric.replyRelevance': '回答相关性', 'metric.understandingLevel': '理解程度',
  'suggestion.continue_needed': '需要继续', 'suggestion.completed': '已完成', 'suggestion.blocked': '受阻', 'suggestion.off_topic': '偏题',

  'tree.label': '脚本位置', 'tree.phase': '阶段', 'tree.topic': '话题', 'tree.round': '第 {n}/{max} 轮', 'tree.plan': '当前话题的动作', 'tree.noPlan': '进入话题后显示动作。', 'tree.inserted': '插入', 'tree.mandatory': '必做',
  'tree.edits': '动作编排', 'tree.undo': '撤销', 'tree.edit': '改问题再试', 'state.pending': '未开始', 'state.running': '进行中', 'state.completed': '已完成', 'state.skipped': '已跳过',
  'edit.insert': '插入', 'edit.modify': '修改', 'edit.skip': '跳过', 'edit.reorder': '重排', 'edit.undo': '撤销先前的编排', 'editState.pending': '待生效', 'editState.applied': '已生效', 'editState.rejected': '被拒绝', 'editState.undone': '已撤销', 'editState.expired': '已过期', 'edit.rule': '规则', 'edit.before': '之前', 'edit.after': '之后',

  'tab.turn': '回合', 'tab.variables': '变量', 'tab.exits': '退出', 'tab.advice': '监控', 'tab.strategy': '策略', 'tab.calls': '模型调用', 'tab.timeline': '时间线',
  'turnTab.none': '在对话里选一个回合，或说一句话。', 'turnTab.chosen': '所选回合', 'turnTab.latest': '最近的回合', 'turnTab.outcome': '结果', 'turnTab.follow': '跟随最新',
  'outcome.waiting': '等待来访者', 'outcome.session_completed': '会话结束', 'outcome.interrupted': '被打断', 'outcome.failed': '失败', 'outcome.preempted': '让位',
  'variables.now': '现在的变量', 'variables.none': '还没有变量。', 'variables.archived': '存档', 'variables.type': '类型', 'variables.changed': '更新', 'variables.operations': '提取历史', 'variables.snapshots': '作用域切换', 'variables.definitions': '变量定义', 'variables.filter': '筛选变量',
  'operation.extract': '提取', 'operation.update': '更新', 'operation.delete': '删除', 'operation.declare': '声明', 'operation.set': '写入',
  'exits.none': '还没有退出判断。', 'exits.criteria': '提示词里的退出标准', 'exits.action': '动作',
  'advice.none': '监控还没有给出反馈。', 'advice.about': '针对第 {n} 轮', 'advice.prompt': '它进入的提示词', 'advice.notUsed': '还没有进入任何提示词。', 'advice.usedIn': '用于回合', 'advice.analysis': '分析', 'advice.analyses': '每轮的监控结果', 'advice.supersedes': '取代了更早的反馈',
  'adviceState.pending': '待使用', 'adviceState.consumed': '已使用', 'adviceState.expired': '已过期', 'adviceState.superseded': '被取代',
  'severity.info': '提示', 'severity.concern': '需干预', 'severity.urgent': '需编排',
  'result.advice': '给出反馈', 'result.no_advice': '无需反馈', 'result.failed': '失败', 'result.dropped': '放弃', 'result.skipped': '未询问',
  'planning.owed': '待编排', 'planning.proposed': '已提出编排', 'planning.no_plan': '无需编排', 'planning.failed': '编排失败', 'planning.dropped': '编排放弃', 'planning.skipped': '未编排',
  'strategy.none': '没有策略记录。沟通策略默认关闭，可在开始会话时开启。', 'strategy.state': '用户状态分析', 'strategy.considerations': '关键考虑', 'strategy.rationale': '策略理由', 'strategy.prompt': '策略建议', 'strategy.compare': '与之前的决策比较', 'strategy.earlier': '之前的决策', 'strategy.situation': '当时情况',
  'calls.none': '这一回合没有模型调用。', 'calls.prompt': '提示词', 'calls.response': '响应', 'calls.tokens': '{prompt} + {completion} tokens', 'calls.parse': '解析', 'calls.config': '参数', 'calls.all': '所有回合', 'calls.first': '首字',
  'purpose.talk': '对话', 'purpose.monitor': '监控', 'purpose.think': '思考', 'purpose.strategy': '策略', 'purpose.plan': '编排',
  'timeline.quiet': '这一回合里没有', 'timeline.main': '主线', 'timeline.monitor': '监控线', 'timeline.none': '没有可显示的时间线。', 'timeline.links': '关联', 'timeline.hint': '监控在主线之外运行；箭头说明它改变了什么。', 'timeline.table': '以表格查看', 'timeline.what': '步骤', 'timeline.from': '开始', 'timeline.took': '用时',
  'kind.turn': '整个回合', 'kind.attempt': '尝试', 'kind.step': '步骤', 'kind.message': '消息', 'kind.model_call': '模型', 'kind.strategy': '策略', 'kind.analysis': '分析', 'kind.advice': '反馈', 'kind.plan_edit': '编排',
  'relation.judges': '评判', 'relation.made': '产生', 'relation.used_in': '用于', 'relation.used': '用了', 'relation.caused': '引发',

  'scripts.title': '脚本', 'scripts.none': '还没有脚本。', 'scripts.new': '新脚本', 'scripts.name': '名称', 'scripts.version': '版本', 'scripts.findings': '检查结果', 'scripts.clean': '没有问题', 'scripts.errors': '{n} 处错误', 'scripts.warnings': '{n} 处警告', 'scripts.notes': '{n} 处提示',
  'scripts.edit': '编辑', 'scripts.publish': '发布', 'scripts.published': '已发布第 {n} 版。', 'scripts.start': '用它开始会话', 'scripts.unsaved': '有未发布的修改', 'scripts.file': '文件', 'scripts.editor': '脚本编辑器', 'scripts.checking': '正在检查…', 'scripts.versions': '历史版本', 'scripts.line': '第 {line} 行，第 {column} 列', 'scripts.completion': 'Ctrl+空格 补全，Ctrl+F 查找', 'scripts.current': '当前', 'scripts.publishFirst': '先发布，再开始会话。',
  'finding.error': '错误', 'finding.warning': '警告', 'finding.note': '提示',

  'fork.title': '改一个动作，从它之前再来一次', 'fork.hint': '新会话停在这个动作开始之前，原会话不变。以 JSON 写出动作的全部设置。', 'fork.action': '动作', 'fork.config': '动作设置', 'fork.run': '分叉并运行', 'fork.bad': '不是合法的 JSON：{reason}', 'fork.side': '分叉后并排比较', 'fork.globals': '全局变量保留现值：{names}',
  'compare.title': '并排比较', 'compare.left': '左', 'compare.right': '右',
};
