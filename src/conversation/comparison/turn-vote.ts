/** Which of the answers to one prompt is better, as a person says, and how often each lane was. Counts, never a verdict. */
import { isLive } from '../reply/run.ts';
import { rowsOf, type Row } from '../session/prompt-rows.ts';
import { laneLetter, runOf } from '../session/turn-tree.ts';
import type { LaneId, PromptId, SessionData, TurnId, Vote } from '../session/types.ts';

/** Only one that is ready can be chosen. */
export type RivalState = 'ready' | 'running' | 'failed' | 'not asked';

export interface Rival {
  laneId: LaneId;
  turnId: TurnId;
  letter: string;
  state: RivalState;
}

/** The answers of several lanes to one prompt. */
export interface Contest {
  number: number;
  rivals: readonly Rival[];
  /** What was chosen between the versions that are shown. */
  vote: Vote | undefined;
  /** Why nobody can be chosen now. */
  blockedBy: string | undefined;
}

/** What a person chooses: the id of the better lane, or "equal". */
export type Choice = string;

export function rivalState(data: SessionData, turnId: TurnId): RivalState {
  const turn = data.turns[turnId];
  if (!turn?.reply) return 'not asked';
  const run = runOf(data, turn);
  // Its record may be gone; what a person wrote needs none.
  if (turn.reply.kind === 'run' && !run) return 'not asked';
  if (run && isLive(run)) return 'running';
  return run?.phase.name === 'failed' ? 'failed' : 'ready';
}

/** The lanes of one row and what was said of them; undefined where there is only one. */
export function contestOf(
  { cells, number }: Row,
  laneIds: readonly LaneId[],
  states: readonly (RivalState | undefined)[],
  votes: readonly Vote[] = [],
): Contest | undefined {
  if (cells.length < 2) return undefined;
  const rivals = cells.map((cell, index): Rival => ({
    ...cell,
    letter: laneLetter(laneIds.indexOf(cell.laneId)),
    state: states[index] ?? 'not asked',
  }));
  const compared = comparedIn(rivals);
  const vote = compared.length < 2 ? undefined : votes.find(({ turnIds }) => isSameSet(turnIds, compared));
  return { number, rivals, vote, blockedBy: whyNobody(rivals) };
}

function comparedIn(rivals: readonly Rival[]): TurnId[] {
  return rivals.filter(({ state }) => state === 'ready').map(({ turnId }) => turnId);
}

function whyNobody(rivals: readonly Rival[]): string | undefined {
  const running = rivals.filter(({ state }) => state === 'running').map(({ letter }) => letter);
  if (running.length > 0) return `Choose when ${listed(running)} ${running.length === 1 ? 'is' : 'are'} done`;
  if (comparedIn(rivals).length < 2) return 'Needs two answers to compare';
  return undefined;
}

/** "A", "A and B", "A, B and C" */
function listed(letters: readonly string[]): string {
  return letters.length < 2 ? letters.join('') : `${letters.slice(0, -1).join(', ')} and ${letters.at(-1)}`;
}

/** Why this lane cannot be chosen. */
export function whyNot({ blockedBy }: Contest, { letter, state }: Rival): string | undefined {
  if (state === 'failed') return `${letter} failed`;
  if (state === 'not asked') return `${letter} was not asked`;
  return blockedBy;
}

/** What stands behind the choices of a turn. */
export function contestWords({ vote, rivals, number, blockedBy }: Contest, namesHidden: boolean): string {
  const where = namesHidden ? '' : ` in turn ${number}`;
  if (vote?.winner === 'equal') return `Equal${where}`;
  const winner = rivals.find(({ turnId }) => turnId === vote?.winner);
  if (winner) return `${winner.letter} is better${where}`;
  if (blockedBy !== undefined) return `${blockedBy}.`;
  return namesHidden
    ? 'Votes count at once. Names stay hidden until you show them.'
    : 'Which answer is better here?';
}

/** Every turn of several lanes, as shown. */
export function contestsOf(data: SessionData): (Contest & { promptId: PromptId })[] {
  return rowsOf(data).flatMap((row) => {
    const contest = contestIn(data, row);
    return contest ? [{ ...contest, promptId: row.promptId }] : [];
  });
}

function contestIn(data: SessionData, row: Row): Contest | undefined {
  const states = row.cells.map(({ turnId }) => rivalState(data, turnId));
  return contestOf(row, data.session.laneIds, states, data.prompts[row.promptId]?.better);
}

/** How often each lane was better, in how many turns with two answers or more. */
export interface Wins {
  compared: number;
  equal: number;
  byLane: Readonly<Record<LaneId, number>>;
}

export function winsOf(contests: readonly Contest[]): Wins {
  const compared = contests.filter(({ rivals }) => comparedIn(rivals).length > 1);
  const byLane: Record<LaneId, number> = {};
  for (const { vote, rivals } of compared) {
    const winner = rivals.find(({ turnId }) => turnId === vote?.winner);
    if (winner) byLane[winner.laneId] = (byLane[winner.laneId] ?? 0) + 1;
  }
  const equal = compared.filter(({ vote }) => vote?.winner === 'equal').length;
  return { compared: compared.length, equal, byLane };
}

/** How often this lane was better, as its header says it; undefined where there was nothing to compare. */
export function winsWords(data: SessionData, laneId: LaneId): string | undefined {
  const { compared, byLane } = winsOf(contestsOf(data));
  return compared === 0 ? undefined : `better in ${byLane[laneId] ?? 0} of ${compared}`;
}

/**
 * The session with this choice, and what is said of it. What is chosen already is taken back. The vote names the
 * versions that were compared: no other version has it.
 */
export function withChoice(
  data: SessionData,
  promptId: PromptId,
  choice: Choice,
  { at, blind }: { at: number; blind: boolean },
): { data: SessionData; sentence: string } {
  const row = rowsOf(data).find((each) => each.promptId === promptId);
  const prompt = data.prompts[promptId];
  const contest = row && contestIn(data, row);
  if (!prompt || !contest) return { data, sentence: 'Only one lane answers here.' };
  const rival = contest.rivals.find(({ laneId }) => laneId === choice);
  const reason = rival ? whyNot(contest, rival) : contest.blockedBy;
  if (reason !== undefined) return { data, sentence: `${reason}.` };
  if (choice !== 'equal' && !rival) return { data, sentence: 'This lane does not answer here.' };
  const winner = rival?.turnId ?? 'equal';
  const others = (prompt.better ?? []).filter((vote) => vote !== contest.vote);
  const where = `turn ${contest.number}`;
  const put = (votes: Vote[]): SessionData => {
    const { better: _, ...rest } = prompt;
    const next = votes.length === 0 ? rest : { ...rest, better: votes };
    return { ...data, prompts: { ...data.prompts, [promptId]: next } };
  };
  if (contest.vote?.winner === winner) return { data: put(others), sentence: `Choice taken back, ${where}.` };
  const vote: Vote = { turnIds: comparedIn(contest.rivals), winner, ...(blind ? { blind: true } : {}), at };
  const said = rival ? `Lane ${rival.letter} is better` : 'Equal';
  return { data: put([...others, vote]), sentence: `${said}, ${where}.` };
}

/** Names the versions that a vote is about, in whatever order it has them. */
function versionsOf({ turnIds }: Pick<Vote, 'turnIds'>): string {
  return turnIds.toSorted().join(' ');
}

function isSameSet(one: readonly TurnId[], other: readonly TurnId[]): boolean {
  return versionsOf({ turnIds: [...one] }) === versionsOf({ turnIds: [...other] });
}
