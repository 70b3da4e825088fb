/** Which of the answers to one prompt is better, as a person says, and how often each lane was. Counts, never a verdict. */
import { isLive } from '../reply/run.ts';
import { buildPromptRows, type PromptRow } from '../session/prompt-rows.ts';
import { getLaneLetter, getRun } from '../session/turn-tree.ts';
import type { LaneId, PromptId, SessionData, TurnId, Vote } from '../session/types.ts';

/** Only one that is ready can be chosen. */
export type VoteOptionState = 'ready' | 'running' | 'failed' | 'not asked';

export interface VoteOption {
  laneId: LaneId;
  turnId: TurnId;
  letter: string;
  state: VoteOptionState;
}

/** The answers of several lanes to one prompt. */
export interface TurnVote {
  number: number;
  options: readonly VoteOption[];
  /** What was chosen between the versions that are shown. */
  vote: Vote | undefined;
  /** Why nobody can be chosen now. */
  disabledReason: string | undefined;
}

/** What a person chooses: the id of the better lane, or "equal". */
export type VoteChoice = string;

export function getVoteOptionState(data: SessionData, turnId: TurnId): VoteOptionState {
  const turn = data.turns[turnId];
  if (!turn?.reply) return 'not asked';
  const run = getRun(data, turn);
  // Its record may be gone; what a person wrote needs none.
  if (turn.reply.kind === 'run' && !run) return 'not asked';
  if (run && isLive(run)) return 'running';
  return run?.phase.name === 'failed' ? 'failed' : 'ready';
}

/** The lanes of one row and what was said of them; undefined where there is only one. */
export function getTurnVote(
  { cells, number }: PromptRow,
  laneIds: readonly LaneId[],
  states: readonly (VoteOptionState | undefined)[],
  votes: readonly Vote[] = [],
): TurnVote | undefined {
  if (cells.length < 2) return undefined;
  const options = cells.map((cell, index): VoteOption => ({
    ...cell,
    letter: getLaneLetter(laneIds.indexOf(cell.laneId)),
    state: states[index] ?? 'not asked',
  }));
  const comparedTurnIds = getComparableTurnIds(options);
  const vote =
    comparedTurnIds.length < 2 ? undefined : votes.find(({ turnIds }) => isSameSet(turnIds, comparedTurnIds));
  return { number, options, vote, disabledReason: getTurnVoteBlocker(options) };
}

function getComparableTurnIds(options: readonly VoteOption[]): TurnId[] {
  return options.filter(({ state }) => state === 'ready').map(({ turnId }) => turnId);
}

function getTurnVoteBlocker(options: readonly VoteOption[]): string | undefined {
  const runningLetters = options.filter(({ state }) => state === 'running').map(({ letter }) => letter);
  if (runningLetters.length > 0)
    return `Available when ${joinWithAnd(runningLetters)} ${runningLetters.length === 1 ? 'is' : 'are'} done`;
  if (getComparableTurnIds(options).length < 2) return 'At least two answers are needed';
  return undefined;
}

/** "A", "A and B", "A, B and C" */
function joinWithAnd(letters: readonly string[]): string {
  return letters.length < 2 ? letters.join('') : `${letters.slice(0, -1).join(', ')} and ${letters.at(-1)}`;
}

/** Why this lane cannot be chosen. */
export function getVoteOptionBlocker(
  { disabledReason }: TurnVote,
  { letter, state }: VoteOption,
): string | undefined {
  if (state === 'failed') return `${letter} failed`;
  if (state === 'not asked') return `${letter} has no answer`;
  return disabledReason;
}

/** What stands behind the choices of a turn. */
export function describeTurnVote(
  { vote, options, number, disabledReason }: TurnVote,
  namesHidden: boolean,
): string {
  const turnSuffix = namesHidden ? '' : ` in turn ${number}`;
  if (vote?.winner === 'equal') return `Equal${turnSuffix}`;
  const winner = options.find(({ turnId }) => turnId === vote?.winner);
  if (winner) return `${winner.letter} is better${turnSuffix}`;
  if (disabledReason !== undefined) return `${disabledReason}.`;
  return namesHidden
    ? 'Votes are saved at once. Names stay hidden until you show them.'
    : 'Which answer is better?';
}

/** Every turn of several lanes, as shown. */
export function listTurnVotes(data: SessionData): (TurnVote & { promptId: PromptId })[] {
  return buildPromptRows(data).flatMap((row) => {
    const turnVote = getRowTurnVote(data, row);
    return turnVote ? [{ ...turnVote, promptId: row.promptId }] : [];
  });
}

function getRowTurnVote(data: SessionData, row: PromptRow): TurnVote | undefined {
  const states = row.cells.map(({ turnId }) => getVoteOptionState(data, turnId));
  return getTurnVote(row, data.session.laneIds, states, data.prompts[row.promptId]?.better);
}

/** How often each lane was better, in how many turns with two answers or more. */
export interface Wins {
  comparedCount: number;
  equalCount: number;
  byLane: Readonly<Record<LaneId, number>>;
}

export function countWins(turnVotes: readonly TurnVote[]): Wins {
  const comparedTurns = turnVotes.filter(({ options }) => getComparableTurnIds(options).length > 1);
  const byLane: Record<LaneId, number> = {};
  for (const { vote, options } of comparedTurns) {
    const winner = options.find(({ turnId }) => turnId === vote?.winner);
    if (winner) byLane[winner.laneId] = (byLane[winner.laneId] ?? 0) + 1;
  }
  const equalCount = comparedTurns.filter(({ vote }) => vote?.winner === 'equal').length;
  return { comparedCount: comparedTurns.length, equalCount, byLane };
}

/** How often this lane was better, as its header says it; undefined where there was nothing to compare. */
export function describeWins(data: SessionData, laneId: LaneId): string | undefined {
  const { comparedCount, byLane } = countWins(listTurnVotes(data));
  return comparedCount === 0 ? undefined : `better in ${byLane[laneId] ?? 0} of ${comparedCount}`;
}

/**
 * The session with this choice, and what is said of it. What is chosen already is taken back. The vote names the
 * versions that were compared: no other version has it.
 */
export function applyVote(
  data: SessionData,
  promptId: PromptId,
  choice: VoteChoice,
  { votedAt, isBlind }: { votedAt: number; isBlind: boolean },
): { data: SessionData; message: string } {
  const row = buildPromptRows(data).find((item) => item.promptId === promptId);
  const prompt = data.prompts[promptId];
  const turnVote = row && getRowTurnVote(data, row);
  if (!prompt || !turnVote) return { data, message: 'Only one lane answers this turn.' };
  const option = turnVote.options.find(({ laneId }) => laneId === choice);
  const reason = option ? getVoteOptionBlocker(turnVote, option) : turnVote.disabledReason;
  if (reason !== undefined) return { data, message: `${reason}.` };
  if (choice !== 'equal' && !option) return { data, message: 'This lane does not answer this turn.' };
  const winner = option?.turnId ?? 'equal';
  const otherVotes = (prompt.better ?? []).filter((vote) => vote !== turnVote.vote);
  const turnLabel = `turn ${turnVote.number}`;
  const withVotes = (votes: Vote[]): SessionData => {
    const { better: _, ...rest } = prompt;
    const next = votes.length === 0 ? rest : { ...rest, better: votes };
    return { ...data, prompts: { ...data.prompts, [promptId]: next } };
  };
  if (turnVote.vote?.winner === winner)
    return { data: withVotes(otherVotes), message: `Vote removed, ${turnLabel}.` };
  const vote: Vote = {
    turnIds: getComparableTurnIds(turnVote.options),
    winner,
    ...(isBlind ? { blind: true } : {}),
    at: votedAt,
  };
  const outcomeText = option ? `Lane ${option.letter} is better` : 'Equal';
  return { data: withVotes([...otherVotes, vote]), message: `${outcomeText}, ${turnLabel}.` };
}

/** Names the versions that a vote is about, in whatever order it has them. */
function getVersionsKey({ turnIds }: Pick<Vote, 'turnIds'>): string {
  return turnIds.toSorted().join(' ');
}

function isSameSet(a: readonly TurnId[], b: readonly TurnId[]): boolean {
  return getVersionsKey({ turnIds: [...a] }) === getVersionsKey({ turnIds: [...b] });
}
