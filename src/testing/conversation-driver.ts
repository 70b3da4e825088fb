/** Drives a conversation through the app and a scripted gateway. */
import { onTestFinished } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { getContentText } from '../conversation/request/request.ts';
import { getCandidate } from '../conversation/session/candidates.ts';
import { getLanePath, getRun as runOfTurn } from '../conversation/session/turn-tree.ts';
import type { Run, Turn } from '../conversation/session/types.ts';
import { createBench, type Bench, type BenchOptions } from './bench.ts';
import { createUserPrompt, createTickedParams } from './builders.ts';
import { startScriptedGateway, type ChatScript, type ScriptedGateway } from './scripted-gateway.ts';

/** Opens the app at its start path. By default, the gateway answers each message with the number of that message. */
export async function createConversation(
  script?: ChatScript,
  options: BenchOptions = {},
): Promise<{ bench: Bench; gateway: ScriptedGateway }> {
  const gateway = await startScriptedGateway();
  gateway.setChatScript(script ?? ((answer) => answer.sendAnswer(`Answer ${gateway.posts.length}`)));
  onTestFinished(() => gateway.close());
  return { bench: await createBench({ url: gateway.url, path: '/', ...options }), gateway };
}

/** Sends a message and resolves when all lanes have answered. */
export function sendAndWait(bench: Bench, text: string): Promise<void> {
  return bench.actions.sendPrompt(createUserPrompt(text));
}

interface SetupChanges {
  model?: string;
  system?: string;
  sendReasoning?: 'always' | 'never';
  /** Fields to tick, with their texts. */
  fields?: Parameters<typeof createTickedParams>[0];
}

/** Changes a lane's model, system prompt and parameters as if typed by a user. */
export function configureLane(bench: Bench, { fields = {}, ...changes }: SetupChanges, lane = 0): void {
  const data = bench.getOpenSession();
  const laneId = data.session.laneIds[lane] ?? '';
  const params = { ...data.lanes[laneId]?.setup.params, ...createTickedParams(fields) };
  bench.actions.changeSetup(laneId, { ...changes, params });
}

/** Opens the same page again after everything is stored. */
export async function reloadPage(bench: Bench): Promise<Bench> {
  await bench.waitUntilSaved();
  return bench.reopen({ path: bench.tab.visitedPaths.at(-1) ?? '/' });
}

/** Returns the visible turns of a lane, given by its index. */
export function getLaneTurns(bench: Bench, lane = 0): readonly Turn[] {
  const data = bench.getOpenSession();
  const currentLane = data.lanes[data.session.laneIds[lane] ?? ''];
  if (!currentLane) throw new Error(`Lane ${lane} is missing`);
  return getLanePath(data, currentLane);
}

/** Returns a turn by its number, from 1; by default the last one. */
export function getLaneTurn(bench: Bench, number?: number, lane = 0): Turn {
  const turn = getLaneTurns(bench, lane).at(number === undefined ? -1 : number - 1);
  if (!turn) throw new Error(`Lane ${lane} has no turn ${number ?? ''}`);
  return turn;
}

/** Returns the IDs of each lane's last turn. */
export function getLastTurnIds(bench: Bench): string[] {
  return bench
    .getOpenSession()
    .session.laneIds.flatMap((_, lane) => getLaneTurns(bench, lane).at(-1)?.id ?? []);
}

/** Returns the run of a turn. Throws if it has none. */
export function getTurnRun(bench: Bench, turn: Turn = getLaneTurn(bench)): Run {
  const run = runOfTurn(bench.getOpenSession(), turn);
  if (!run) throw new Error('The turn has no run');
  return run;
}

/** Returns the prompts of a lane with their answers; `undefined` for a missing answer. */
export function getLaneTranscript(bench: Bench, lane = 0): [prompt: string, answer: string | undefined][] {
  const data = bench.getOpenSession();
  return getLaneTurns(bench, lane).map((turn) => {
    const messages = data.prompts[turn.promptId]?.messages ?? [];
    const promptContent = messages.map(({ content }) => getContentText(content)).join('\n');
    if (!turn.reply) return [promptContent, undefined];
    if (turn.reply.kind === 'written') return [promptContent, getContentText(turn.reply.message.content)];
    return [promptContent, getAnswerText(getCandidate(data.runs[turn.reply.runId], turn.shownChoice))];
  });
}

/** Returns the messages of a request, by default the last one. */
export function getRequestMessages(gateway: ScriptedGateway, index = -1): unknown {
  return gateway.posts.at(index)?.body['messages'];
}
