// The right pane: one turn from every side.

import { html } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';
import { Tabs } from '../lib/parts.js';
import { useKept, useStore } from '../lib/store.js';
import { RunsTab } from '../runs/runs.js';
import { AdviceTab } from './advice.js';
import { CallsTab } from './calls.js';
import { DecisionsTab } from './decisions.js';
import { ExitsTab } from './exits.js';
import { StrategyTab } from './strategy.js';
import { TimelineTab } from './timeline.js';
import { TurnTab } from './turn.js';
import { VariablesTab } from './variables.js';

const TABS = {
  turn: TurnTab, timeline: TimelineTab, calls: CallsTab, variables: VariablesTab, exits: ExitsTab, advice: AdviceTab,
  strategy: StrategyTab, decisions: DecisionsTab, runs: RunsTab,
};

/** The inspector; it shows the chosen turn, or follows the latest. */
export function Inspector({ room }) {
  const { t } = useWords();
  const picture = useStore(room.live.picture);
  const [chosen, choose] = useKept('inspector.tab', 'turn');
  const turns = [...picture.turns.values()];
  const turn = (room.chosen && picture.turns.get(room.chosen)) || turns.at(-1);
  const Tab = TABS[chosen] ?? TurnTab;
  const tabs = Object.keys(TABS).map((name) => [name, t(`tab.${name}`)]);
  const moved = `${turns.filter((one) => one.end).length}/${picture.analyses.size}`;
  return html`<${Tabs} tabs=${tabs} chosen=${chosen in TABS ? chosen : 'turn'} onChoose=${choose}
    label=${t('pane.inspector')}>
    <${Tab} room=${room} turn=${turn} picture=${picture} moved=${moved} openTab=${choose} /><//>`;
}
