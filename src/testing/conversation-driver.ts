/** A conversation as it stands on screen, and the way of a message through the scripted gateway. */
import { onTestFinished } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { getContentText } from '../conversation/request/request.ts';
import { getCandidate } from '../conversation/session/candidates.ts';
import { getLanePath, getRun as runOfTurn } from '../conversation/session/turn-tree.ts';
import type { Run, Turn } from '../conversation/session/types.ts';
import { aBench, type Bench, type BenchOptions } from './bench.ts';
import { spoken, ticked } from './builders.ts';
import { startScriptedGateway, type ChatScript, type ScriptedGateway } from './scripted-gateway.ts';

/** The app at its first address, in front of a gateway that answers each message with its number unless told otherwise. */
export async function aTalk(
  script?: ChatScript,
  options: BenchOptions = {},
): Promise<{ bench: Bench; gateway: ScriptedGateway }> {
  const gateway = await startScriptedGateway();
  gateway.onChat(script ?? ((answer) => answer.whole(`Answer ${gateway.posts.length}`)));
  onTestFinished(() => gateway.close());
  return { bench: await aBench({ url: gateway.url, path: '/', ...options }), gateway };
}

/** Resolves when all lanes have answered. */
export function ask(bench: Bench, text: string): Promise<void> {
  return bench.actions.sendPrompt(spoken(text));
}

interface SetupChanges {
  model?: string;
  system?: string;
  sendReasoning?: 'always' | 'never';
  /** Ticked, with these texts. */
  fields?: Parameters<typeof ticked>[0];
}

/** Sets a lane up, as it is typed into its header, its system prompt and the parameters. */
export function setUp(bench: Bench, { fields = {}, ...changes }: SetupChanges, lane = 0): void {
  const data = bench.current();
  const laneId = data.session.laneIds[lane] ?? '';
  const params = { ...data.lanes[laneId]?.setup.params, ...ticked(fields) };
  bench.actions.changeSetup(laneId, { ...changes, params });
}

/** The same page once more, after all was stored. */
export async function reloaded(bench: Bench): Promise<Bench> {
  await bench.saved();
  return bench.reopened({ path: bench.tab.visited.at(-1) ?? '/' });
}

/** The turns that a lane shows, by its place from 0. */
export function shownTurns(bench: Bench, lane = 0): readonly Turn[] {
  const data = bench.current();
  const shown = data.lanes[data.session.laneIds[lane] ?? ''];
  if (!shown) throw new Error(`There is no lane ${lane}`);
  return getLanePath(data, shown);
}

/** The turn with this number, from 1; the last one unless given. */
export function shownTurn(bench: Bench, number?: number, lane = 0): Turn {
  const turn = shownTurns(bench, lane).at(number === undefined ? -1 : number - 1);
  if (!turn) throw new Error(`Lane ${lane} has no turn ${number ?? ''}`);
  return turn;
}

/** The last turn of each lane. */
export function lastTurnIds(bench: Bench): string[] {
  return bench.current().session.laneIds.flatMap((_, lane) => shownTurns(bench, lane).at(-1)?.id ?? []);
}

/** The run of a turn. */
export function runOf(bench: Bench, turn: Turn = shownTurn(bench)): Run {
  const run = runOfTurn(bench.current(), turn);
  if (!run) throw new Error('The turn has no run');
  return run;
}

/** What was said in a lane, and what was answered; `undefined` where nothing answered yet. */
export function talkIn(bench: Bench, lane = 0): [said: string, answered: string | undefined][] {
  const data = bench.current();
  return shownTurns(bench, lane).map((turn) => {
    const messages = data.prompts[turn.promptId]?.messages ?? [];
    const said = messages.map(({ content }) => getContentText(content)).join('\n');
    if (!turn.reply) return [said, undefined];
    if (turn.reply.kind === 'written') return [said, getContentText(turn.reply.message.content)];
    return [said, getAnswerText(getCandidate(data.runs[turn.reply.runId], turn.shownChoice))];
  });
}

/** The messages of a request, the last one unless another is named. */
export function messagesOf(gateway: ScriptedGateway, index = -1): unknown {
  return gateway.posts.at(index)?.body['messages'];
}
