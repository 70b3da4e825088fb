/**
 * Data model of sessions. A run is one request to one model with one setup. A turn combines a prompt and a reply in one
 * lane; a lane is a tree of turns with one shown path; a session is a set of lanes. All types are plain data and can be
 * stored directly.
 */
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { Sound } from '../../gateway/media/answer-media.ts';
import type { Source } from '../../gateway/media/sources.ts';
import type { NoteKind } from '../../gateway/stream/stream-events.ts';
import type { Message, OpaqueFields, Usage } from '../../gateway/wire.ts';
import type { Params } from '../setup/params.ts';

export type SessionId = string;
export type LaneId = string;
export type PromptId = string;
export type TurnId = string;
export type RunId = string;

export interface Session {
  id: SessionId;
  title: string;
  /** True if the user set the title, so that the first prompt no longer determines it. */
  titled?: true;
  /** Time in epoch ms. */
  createdAt: number;
  updatedAt: number;
  /** Lane IDs in displayed order; letters follow positions. */
  laneIds: LaneId[];
  /** Summary for the history, so that the session need not be opened. */
  summary?: {
    models: string[];
    prompts: number;
    tokens?: number;
    /** True if some token counts are estimates, because no usage was reported. */
    tokensEstimated?: true;
    /** Marks that the user gave to answers. */
    marks?: NonNullable<NonNullable<Turn['remark']>['mark']>[];
  };
  /** Values for {{names}} in prompts and system prompts. */
  variables?: Record<string, string>;
  /** State of opaque fields from an imported file: not sent yet, sent, or excluded by the user. */
  importedFields?: 'new' | 'sent' | 'left out';
}

/** Model as its gateway names it, and the gateway. */
export interface ModelChoice {
  model: string;
  /** Name of the gateway; the first gateway of the server if absent. */
  gateway?: string;
}

/** Settings that the sidebar edits. */
export interface Setup extends ModelChoice {
  system: string;
  /** Role of the system prompt, `system` if absent; some models require `developer`. */
  systemRole?: 'developer';
  params: Params;
  /** Policy for sending reasoning back to the model that wrote it; if absent, it is sent only with tool calls. */
  sendReasoning?: 'always' | 'never';
}

/** Lane with the setup of its next run. `tip` is the end of the shown path, absent in an empty lane. */
export interface Lane {
  id: LaneId;
  sessionId: SessionId;
  setup: Setup;
  /** Name given by the user, shown in place of what differs from other lanes. */
  name?: string;
  tip?: TurnId;
}

/**
 * Prompt shared by the lanes that it was sent to. `seq` orders prompts; `replaces` links the versions of an edited
 * prompt.
 */
export interface Prompt {
  id: PromptId;
  sessionId: SessionId;
  seq: number;
  createdAt: number;
  replaces?: PromptId;
  messages: Message[];
  results?: ToolResult[];
  /** Votes for the best answer, one per set of compared versions. */
  better?: Vote[];
}

/** User's vote between these versions of the answer; it does not apply to other versions. */
export interface Vote {
  turnIds: TurnId[];
  /** ID of a compared turn, or "equal". */
  winner: string;
  /** True if the model names were hidden. */
  blind?: true;
  /** Time in epoch ms. */
  at: number;
}

/** Result that is matched to the calls of each lane: by name and arguments, otherwise by name and order. */
export interface ToolResult {
  /** Identity of the call. `arguments` is canonical (tool-results.ts) and absent in older results. */
  call: { name: string; ordinal: number; arguments?: string };
  content: string;
  isError?: boolean;
}

/** Turn of a lane. Versions of an answer are turns with the same lane, parent and prompt. */
export interface Turn {
  id: TurnId;
  sessionId: SessionId;
  laneId: LaneId;
  seq: number;
  parent?: { turnId: TurnId; choice: number };
  promptId: PromptId;
  /** Reply; absent if the turn was saved without being run. */
  reply?: Reply;
  /** Index of the shown candidate, which the history continues from; 0 by default. */
  shownChoice?: number;
  /** Mark and note of the user. */
  remark?: { mark?: 'good' | 'bad' | 'star'; text?: string };
}

/** Reply to a prompt: a run, or a message written by the user. */
export type Reply = { kind: 'run'; runId: RunId } | { kind: 'written'; message: Message };

export type RunPhase =
  | { name: 'queued' | 'waiting' | 'streaming' | 'complete' | 'stopped' | 'interrupted' }
  | { name: 'truncated' | 'failed'; error?: ErrorReport };

/** Request with its response, computed by folding its tape. */
export interface Run {
  id: RunId;
  sessionId: SessionId;
  setup: Setup;
  phase: RunPhase;
  choices: Choice[];
  /** Time of the POST in epoch ms. All `…Ms` fields below are monotonic ms since then. */
  sentAt?: number;
  /** Clock of the times: the server's, which a busy page does not affect, or the page's if absent. */
  timedBy?: 'server';
  firstTokenMs?: number;
  firstTextMs?: number;
  /** Arrival time in ms of the newest event with content. */
  lastEventMs?: number;
  endedMs?: number;
  /** X-Request-ID that was sent; `returnedRequestId` is the one in the response. */
  requestId?: string;
  returnedRequestId?: string;
  /** Gateway of the request; absent in older runs, whose opaque fields are not sent. */
  gatewayId?: string;
  /** Name of that gateway on the server; absent in runs from before gateways had names. */
  gateway?: string;
  /** Names of request fields in messages and calls beyond those of §2.2, and `name` of results. */
  messageFields?: string[];
  /** True if the opaque fields came from an imported file. */
  isImported?: true;
  /** Model reported by the response. */
  model?: string;
  responseId?: string;
  status?: number;
  usage?: Usage;
  /** Provider's reason for blocking the prompt; relevant only without an answer. */
  blockReason?: string;
  /** Number of deltas with text, used to estimate tokens if no usage is reported. */
  deltas: number;
  /** Prompt tokens estimated from the length, shown with `~` if no usage is reported. */
  estimatedPromptTokens?: number;
  /** Number of images omitted because the model accepts only text. */
  imagesLeftOut?: number;
  /** Number of documents and sounds omitted because the model does not accept them. */
  filesLeftOut?: number;
  notes: Note[];
  /** Sources shared by all candidates. */
  sources?: readonly Source[];
  /** Raw data that does not belong to any answer, at most 64 KiB; the tape contains all of it. */
  leftOver?: string;
  /** True after [DONE]. */
  done?: true;
  /** Trial cell that the answer belongs to; in this case `sessionId` is the trial ID. */
  cell?: { trialId: string; caseId: string; columnId: string; repeat: number };
}

export interface Note {
  kind: NoteKind;
  count: number;
  detail?: string;
}

/** Candidate, with its parts in order of arrival. */
export interface Choice {
  parts: Part[];
  /** Spoken version of the text. */
  sound?: Sound;
  sources?: readonly Source[];
  finishReason?: string;
  /** Text that could be the start of a reasoning tag; appended as text when the run ends. */
  held?: string;
  /** Tag that will close the reasoning at the start of the answer. */
  inThinkTag?: string;
  /** True if reasoning also came in a separate field, which is not searched for tags. */
  hasOwnReasoning?: true;
  /** State of tag detection: a reasoning tag was opened, or detection has ended. */
  tags?: 'opened' | 'done';
  /** Opaque fields of the message that the model may need in the next request. */
  opaque?: OpaqueFields;
}

export type Part =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string; startedMs: number; endedMs: number; deltas: number }
  | { type: 'refusal'; text: string }
  | { type: 'tool-call'; slot: number; id?: string; name: string; arguments: string; opaque?: OpaqueFields }
  /** Image; `url` is a reference to a stored image, a data URL if storing failed, or a web URL. */
  | { type: 'image'; url: string };

/** Records of one session, by ID. */
export interface SessionData {
  session: Session;
  lanes: Record<LaneId, Lane>;
  prompts: Record<PromptId, Prompt>;
  turns: Record<TurnId, Turn>;
  runs: Record<RunId, Run>;
}
