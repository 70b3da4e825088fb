/** Lists the turns of a session with a one-line preview of each prompt. */
import { pluralize } from '../../lib/format.ts';
import { listTurnVotes, type TurnVote } from '../comparison/turn-vote.ts';
import { getTextOrFileNames } from '../request/message-files.ts';
import { buildPromptRows } from '../session/prompt-rows.ts';
import type { Prompt, PromptId, SessionData } from '../session/types.ts';
import type { Hit } from './hits.ts';

export interface TurnLine {
  promptId: PromptId;
  number: number;
  text: string;
  /** Number of search hits in the turn. */
  hitCount: number;
  /** Letter of the better lane, or `equal`. */
  winner?: string;
}

/** Returns one line per shown turn. */
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
/** Prompts with more lines than this show their line count. */
const maxUncountedLines = 40;

function getPromptPreview(prompt: Prompt | undefined): string {
  const text = (prompt?.messages ?? []).map(({ content }) => getTextOrFileNames(content)).join('\n');
  const line = /\S.*/.exec(text)?.[0].trimEnd() ?? '';
  if (line === '') return (prompt?.results ?? []).length > 0 ? 'Tool results' : 'Image';
  const lineCount = text.split('\n').length;
  const shortLine = line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line;
  return lineCount > maxUncountedLines ? `${shortLine} (${pluralize(lineCount, 'line')})` : shortLine;
}
