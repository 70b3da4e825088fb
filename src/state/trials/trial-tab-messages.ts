/** What tabs tell each other of a trial that is open in several of them. */
import * as v from 'valibot';

import { isDeepEqual } from '../../conversation/session/differences.ts';
import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { cellName } from '../../trials/case-order.ts';
import { caseSchema, cellSchema, markSchema, trialSchema } from '../../trials/trial-schemas.ts';
import type { Case, Cell, CellKey, Mark, Trial, TrialId } from '../../trials/trial.ts';
import type { TrialDesk } from './open-trial-store.ts';
import type { LiveCell } from './open-trial.ts';
import type { Asking } from './running/trial-runner.ts';

/** Of one trial; records are read as outside data. */
export interface TrialNews {
  trialId: TrialId;
  /** It has another name, given where it is not open. */
  title?: string;
  trial?: Trial;
  cells?: Cell[];
  marks?: { name: string; mark?: Mark }[];
  live?: LiveCell[];
  /** Added, or with other values; told before the trial that lists them. */
  cases?: Case[];
  /** The tab that asks is to let go. */
  letGo?: true;
}

const liveSchema = v.object({
  caseId: v.string(),
  columnId: v.string(),
  repeat: v.number(),
  runId: v.string(),
  life: v.picklist(['in line', 'waiting', 'streaming']),
});

/** A message of this version of Bench; what cannot be read of it is not heard. */
export function readNews(raw: unknown): TrialNews | undefined {
  const trialId = getStringProperty(raw, 'trialId');
  if (trialId === undefined) return undefined;
  const title = getStringProperty(raw, 'title');
  const trial = v.safeParse(trialSchema, getOwnProperty(raw, 'trial'));
  const cases = v.safeParse(v.array(caseSchema), getOwnProperty(raw, 'cases'));
  const cells = v.safeParse(v.array(cellSchema), getOwnProperty(raw, 'cells'));
  const live = v.safeParse(v.array(liveSchema), getOwnProperty(raw, 'live'));
  const marks = v.safeParse(
    v.array(v.object({ name: v.string(), mark: v.exactOptional(markSchema) })),
    getOwnProperty(raw, 'marks'),
  );
  return {
    trialId,
    ...(title === undefined ? {} : { title }),
    ...(trial.success ? { trial: trial.output } : {}),
    ...(cases.success ? { cases: cases.output } : {}),
    ...(cells.success ? { cells: cells.output } : {}),
    ...(live.success ? { live: live.output } : {}),
    ...(marks.success ? { marks: marks.output } : {}),
    ...(getOwnProperty(raw, 'letGo') === true ? { letGo: true } : {}),
  };
}

interface NewsParts {
  desk: TrialDesk;
  asking: Asking;
  /** Takes it on screen alone: it is on the disk already. */
  setTrial: (trial: Trial) => void;
  /** These cells were stored or marked elsewhere. */
  take: (keys: readonly CellKey[]) => void;
  /** What scores are made from was edited elsewhere. */
  rescore: () => void;
}

/** Takes in what another tab tells of a trial that is open here. */
export function hearNews(news: TrialNews, { desk, asking, setTrial, take, rescore }: NewsParts): void {
  if (news.letGo) void asking.letGo();
  for (const each of news.cases ?? []) desk.cases.set(each.id, each);
  if (news.title !== undefined) setTrial({ ...desk.trial(), title: news.title, titled: true });
  const before = desk.trial();
  if (news.trial) {
    // Who asks says how it stands; others only say what was edited.
    const isOurs = asking.asker().name === 'here';
    // What was said before it was heard what is here: both tabs keep what was edited last.
    const edited = news.trial.updatedAt < before.updatedAt ? before : news.trial;
    setTrial({ ...edited, state: isOurs ? before.state : news.trial.state });
    const isNews = asking.asker().name === 'nobody';
    if (news.trial.state.name === 'running' && isNews && desk.isWhole()) void asking.opened(undefined);
    desk.allChanged();
    asking.recheck();
  }
  for (const cell of news.cells ?? []) desk.cells.set(cellName(cell), cell);
  const marked = (news.marks ?? []).flatMap(({ name, mark }) => {
    const known = mark ?? desk.marks.get(name);
    if (mark) desk.marks.set(name, mark);
    else desk.marks.delete(name);
    return known ? [known.key] : [];
  });
  take([...(news.cells ?? []), ...marked]);
  const { checks, decides } = desk.trial();
  if (news.cases || decides !== before.decides || !isDeepEqual(checks, before.checks)) rescore();
  desk.changed();
}
