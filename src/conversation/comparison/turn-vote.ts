/** Votes for the better answer to a prompt, and the number of wins per lane. Counts are not a verdict. */
import { formatList } from '../../lib/format.ts';
import { isLive } from '../reply/run.ts';
import { buildPromptRows, type PromptRow } from '../session/prompt-rows.ts';
import { getCopiedTurn, getLaneLetter, getRun } from '../session/turn-tree.ts';
import type { LaneId, PromptId, SessionData, TurnId, Vote } from '../session/types.ts';

/** State of an option; only `ready` options can be chosen. */
export type VoteOptionState = 'ready' | 'running' | 'failed' | 'not asked';

export interface VoteOption {
  laneId: LaneId;
  turnId: TurnId;
  letter: string;
  state: VoteOptionState;
}

/** Answers of several lanes to one prompt, with their vote. */
export interface TurnVote {
  number: number;
  options: readonly VoteOption[];
  /** Vote between the versions that are currently shown. */
  vote: Vote | undefined;
  /** Reason why voting is disabled; `undefined` if it is possible. */
  disabledReason: string | undefined;
}

/** Choice of the user: the ID of the better lane, or "equal". */
export type VoteChoice = string;

export function getVoteOptionState(data: SessionData, turnId: TurnId): VoteOptionState {
  const turn = data.turns[turnId];
  if (!turn?.reply) return 'not asked';
  const run = getRun(data, turn);
  if (getCopiedTurn(data, turn)) return 'not asked';
  // The run record may be missing; answers written by hand have none.
  if (turn.reply.kind === 'run' && !run) return 'not asked';
  if (run && isLive(run)) return 'running';
  return run?.phase.name === 'failed' ? 'failed' : 'ready';
}

/** Returns the options and the vote of one row, `undefined` if it has fewer than two lanes. */
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
  if (runningLetters.length > 0) return `Wait for ${formatList(runningLetters)}`;
  if (getComparableTurnIds(options).length < 2) return 'At least two answers are needed';
  return undefined;
}

/** Returns the reason why this lane cannot be chosen, `undefined` if it can. */
export function getVoteOptionBlocker(
  { disabledReason }: TurnVote,
  { letter, state }: VoteOption,
): string | undefined {
  if (state === 'failed') return `${letter} failed`;
  if (state === 'not asked') return `${letter} has no answer of its own`;
  return disabledReason;
}

/** Returns the text shown after the choices of a turn. */
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
    ? 'Votes are saved immediately. Names stay hidden until you show them.'
    : 'Which answer is better?';
}

/** Lists the turn votes of all rows that have several lanes, in the shown versions. */
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

/** Wins per lane, among the turns with at least two answers. */
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

/** Returns the win count for the header of a lane, `undefined` if no turn was compared. */
export function describeWins(data: SessionData, laneId: LaneId): string | undefined {
  const turnVotes = listTurnVotes(data);
  const hasVotes = turnVotes.some(({ vote }) => vote !== undefined);
  const { comparedCount, byLane } = countWins(turnVotes);
  return comparedCount === 0 || !hasVotes
    ? undefined
    : `better in ${byLane[laneId] ?? 0} of ${comparedCount}`;
}

/**
 * Returns the session with this vote, and an announcement. Choosing the current winner again removes the vote. A vote
 * applies only to the compared versions.
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

/** Returns a key for the compared versions, independent of their order. */
function getVersionsKey({ turnIds }: Pick<Vote, 'turnIds'>): string {
  return turnIds.toSorted().join(' ');
}

function isSameSet(a: readonly TurnId[], b: readonly TurnId[]): boolean {
  return getVersionsKey({ turnIds: [...a] }) === getVersionsKey({ turnIds: [...b] });
}
