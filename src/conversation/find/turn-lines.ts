/** The turns of a session as a list: what was asked in each, in one line. */
import { pluralize } from '../../lib/format.ts';
import { contestsOf, type Contest } from '../comparison/turn-vote.ts';
import { textOfContent } from '../request/request.ts';
import { rowsOf } from '../session/prompt-rows.ts';
import type { Prompt, PromptId, SessionData } from '../session/types.ts';
import type { Hit } from './hits.ts';

export interface TurnLine {
  promptId: PromptId;
  number: number;
  words: string;
  /** So many hits of what is looked for are in it. */
  hits: number;
  /** The letter of the lane that was said to be better, or `equal`. */
  better?: string;
}

/** A line for each turn shown. */
export function turnLines(data: SessionData, hits: readonly Hit[]): TurnLine[] {
  const counts = new Map<PromptId, number>();
  for (const { promptId } of hits) counts.set(promptId, (counts.get(promptId) ?? 0) + 1);
  const votes = new Map(contestsOf(data).map((contest) => [contest.promptId, contest]));
  return rowsOf(data).map(({ promptId, number }) => ({
    promptId,
    number,
    words: firstWords(data.prompts[promptId]),
    hits: counts.get(promptId) ?? 0,
    ...voteIn(votes.get(promptId)),
  }));
}

function voteIn(contest: Contest | undefined): Pick<TurnLine, 'better'> {
  const winner = contest?.vote?.winner;
  if (winner === undefined || winner === 'equal') return winner === undefined ? {} : { better: winner };
  const letter = contest?.rivals.find(({ turnId }) => turnId === winner)?.letter;
  return letter === undefined ? {} : { better: letter };
}

const longestLine = 160;
/** Of more lines it is told how many. */
const fewLines = 40;

function firstWords(prompt: Prompt | undefined): string {
  const text = (prompt?.messages ?? []).map(({ content }) => textOfContent(content)).join('\n');
  const line = /\S.*/.exec(text)?.[0].trimEnd() ?? '';
  if (line === '') return (prompt?.results ?? []).length > 0 ? 'Tool results' : 'Image';
  const lines = text.split('\n').length;
  const shown = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
  return lines > fewLines ? `${shown} (${pluralize(lines, 'line')})` : shown;
}
