/** Conversions between trials and sessions: lanes become columns, and the answers of a case become lanes. */
import {
  createEmptySession,
  summarizeForHistory,
  deriveTitle,
  type Environment,
} from '../conversation/session/edit-session.ts';
import { getLanePath } from '../conversation/session/turn-tree.ts';
import type { Lane, Prompt, Run, SessionData, Turn } from '../conversation/session/types.ts';
import { fillMessage } from '../conversation/session/variables.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import type { Message } from '../gateway/wire.ts';
import type { Case, Column, Trial } from './trial.ts';

/** Returns the setup of each lane as a column, and the messages of the last prompt. */
export function toColumns(data: SessionData): { columns: Omit<Column, 'id'>[]; messages: Message[] } {
  const lanes = data.session.laneIds.flatMap((id) => data.lanes[id] ?? []);
  const prompts = lanes.flatMap((lane) =>
    getLanePath(data, lane).flatMap(({ promptId }) => data.prompts[promptId] ?? []),
  );
  const lastPrompt = prompts.toSorted((a, b) => a.seq - b.seq).at(-1);
  return { columns: lanes.map(({ setup }) => ({ setup })), messages: lastPrompt?.messages ?? [] };
}

/** A column with its answer, if there is one. */
export interface AnsweredColumn {
  column: Column;
  answer?: { run: Run; tape: TapeEntry[] };
}

/**
 * Builds a session with the case as its only prompt and a lane for each of these columns. Tapes are listed by the IDs
 * of its runs.
 */
export function buildCaseSession(
  trial: Trial,
  { values, history = [] }: Case,
  answeredColumns: readonly AnsweredColumn[],
  environment: Environment,
): { data: SessionData; tapes: Map<string, TapeEntry[]> } {
  const { now, newId } = environment;
  const emptySession = createEmptySession(
    environment,
    answeredColumns.map(({ column }) => column.setup),
  );
  const sessionId = emptySession.session.id;
  const tapes = new Map<string, TapeEntry[]>();
  const data: SessionData = { ...emptySession, lanes: {}, prompts: {}, turns: {}, runs: {} };
  const promptsByMessages = new Map<string, Prompt>();
  const fillMessages = (messages: readonly Message[]): Message[] =>
    [...history, ...messages].map((message) => fillMessage(message, values));
  answeredColumns.forEach(({ column, answer }, index) => {
    const laneId = emptySession.session.laneIds[index] ?? newId();
    const messages = column.messages ?? trial.messages;
    const key = JSON.stringify(messages);
    // Columns with equal messages share the prompt.
    const prompt = promptsByMessages.get(key) ?? {
      id: newId(),
      sessionId,
      seq: (promptsByMessages.size + 1) * 1000,
      createdAt: now(),
      messages: fillMessages(messages),
    };
    promptsByMessages.set(key, prompt);
    data.prompts[prompt.id] = prompt;
    const turn: Turn = { id: newId(), sessionId, laneId, seq: prompt.seq + index + 1, promptId: prompt.id };
    if (answer) {
      const id = newId();
      const { cell: _, ...run } = answer.run;
      data.runs[id] = { ...run, id, sessionId };
      tapes.set(id, answer.tape);
      turn.reply = { kind: 'run', runId: id };
    }
    data.turns[turn.id] = turn;
    const lane: Lane = { id: laneId, sessionId, setup: column.setup, tip: turn.id };
    data.lanes[laneId] = lane;
  });
  const title = deriveTitle(Object.values(data.prompts)[0]?.messages ?? []);
  const session = {
    ...data.session,
    title,
    ...(Object.keys(values).length > 0 ? { variables: values } : {}),
  };
  return {
    data: { ...data, session: { ...session, summary: summarizeForHistory({ ...data, session }) } },
    tapes,
  };
}
