/** The turns of a session as a list: what was asked in each, in one line. */
import { pluralize } from '../../lib/format.ts';
import { listTurnVotes, type TurnVote } from '../comparison/turn-vote.ts';
import { getContentText } from '../request/request.ts';
import { buildPromptRows } from '../session/prompt-rows.ts';
import type { Prompt, PromptId, SessionData } from '../session/types.ts';
import type { Hit } from './hits.ts';

export interface TurnLine {
  promptId: PromptId;
  number: number;
  text: string;
  /** So many hits of what is looked for are in it. */
  hitCount: number;
  /** The letter of the lane that was said to be better, or `equal`. */
  winner?: string;
}

/** A line for each turn shown. */
export function listTurnLines(data: SessionData, hits: readonly Hit[]): TurnLine[] {
  const hitCounts = new Map<PromptId, number>();
  for (const { promptId } of hits) hitCounts.set(promptId, (hitCounts.get(promptId) ?? 0) + 1);
  const turnVotes = new Map(listTurnVotes(data).map((turnVote) => [turnVote.promptId, turnVote]));
  return buildPromptRows(data).map(({ promptId, number }) => ({
    promptId,
    number,
    text: getPromptPreview(data.prompts[promptId]),
    hitCount: hitCounts.get(promptId) ?? 0,
    ...getWinnerField(turnVotes.get(promptId)),
  }));
}

function getWinnerField(turnVote: TurnVote | undefined): Pick<TurnLine, 'winner'> {
  const winner = turnVote?.vote?.winner;
  if (winner === undefined || winner === 'equal') return winner === undefined ? {} : { winner };
  const letter = turnVote?.options.find(({ turnId }) => turnId === winner)?.letter;
  return letter === undefined ? {} : { winner: letter };
}

const maxLineChars = 160;
/** Of more lines it is told how many. */
const maxUncountedLines = 40;

function getPromptPreview(prompt: Prompt | undefined): string {
  const text = (prompt?.messages ?? []).map(({ content }) => getContentText(content)).join('\n');
  const line = /\S.*/.exec(text)?.[0].trimEnd() ?? '';
  if (line === '') return (prompt?.results ?? []).length > 0 ? 'Tool results' : 'Image';
  const lineCount = text.split('\n').length;
  const shortLine = line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line;
  return lineCount > maxUncountedLines ? `${shortLine} (${pluralize(lineCount, 'line')})` : shortLine;
}
