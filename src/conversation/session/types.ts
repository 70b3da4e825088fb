/**
 * What a session is. A run is one request to one model with one setup. A prompt is what was said.
 * A turn puts a prompt and a reply into one lane. A lane is a tree of turns with one path shown.
 * A session is a set of lanes. All of it is plain data and can be stored as it is.
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
  /** The title was typed by a person: the first prompt no longer names the session. */
  titled?: true;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** In the order shown; letters go by position. */
  laneIds: LaneId[];
  /** What the history lists without opening the session. */
  summary?: {
    models: string[];
    prompts: number;
    tokens?: number;
    /** Some of the tokens are counted here: no usage was reported. */
    tokensEstimated?: true;
    /** The marks that a person gave to answers. */
    marks?: NonNullable<NonNullable<Turn['remark']>['mark']>[];
  };
  /** Values for {{names}} in prompts and system prompts. */
  variables?: Record<string, string>;
  /** Opaque fields came with a file: no request has sent them yet, one has, or the user leaves them out. */
  importedFields?: 'new' | 'sent' | 'left out';
}

/** All that the sidebar edits. */
export interface Setup {
  model: string;
  system: string;
  /** Some models take the system prompt in a message of this role; absent: `system`. */
  systemRole?: 'developer';
  params: Params;
  /** When plain reasoning goes back to the model that wrote it; absent: with tool calls. */
  sendReasoning?: 'always' | 'never';
}

/** setup: for the next run. tip: end of the shown path; absent in an empty lane. */
export interface Lane {
  id: LaneId;
  sessionId: SessionId;
  setup: Setup;
  tip?: TurnId;
}

/** Shared by the lanes it was sent to. `seq` orders the bands; `replaces` chains the versions of an edited prompt. */
export interface Prompt {
  id: PromptId;
  sessionId: SessionId;
  seq: number;
  createdAt: number;
  replaces?: PromptId;
  messages: Message[];
  results?: ToolResult[];
  /** Which answer to it is better, a vote for each set of versions that were compared. */
  better?: Vote[];
}

/** A person's choice between these versions of the answer; another version is not meant by it. */
export interface Vote {
  turnIds: TurnId[];
  /** One of them, or "equal". */
  winner: string;
  /** The names were hidden. */
  blind?: true;
  /** Epoch milliseconds. */
  at: number;
}

/** Matched to each lane's own calls: by name and arguments, else by name and order. */
export interface ToolResult {
  /** `arguments` in canonical form (tool-results.ts); absent in results written before they were kept. */
  call: { name: string; ordinal: number; arguments?: string };
  content: string;
  isError?: boolean;
}

/** Versions of an answer are turns of one lane with the same parent and prompt. */
export interface Turn {
  id: TurnId;
  sessionId: SessionId;
  laneId: LaneId;
  seq: number;
  parent?: { turnId: TurnId; choice: number };
  promptId: PromptId;
  /** Absent: saved without being run. */
  reply?: Reply;
  /** The candidate shown, which goes on in the history; 0 unless chosen. */
  shownChoice?: number;
  /** What a person thinks of the answer. */
  remark?: { mark?: 'good' | 'bad' | 'star'; text?: string };
}

/** What answers a prompt: a model's run, or a message that a person wrote. */
export type Reply = { kind: 'run'; runId: RunId } | { kind: 'written'; message: Message };

export type RunPhase =
  | { name: 'queued' | 'waiting' | 'streaming' | 'complete' | 'stopped' | 'interrupted' }
  | { name: 'truncated' | 'failed'; error?: ErrorReport };

/** One request and its answer: a fold over its tape. */
export interface Run {
  id: RunId;
  sessionId: SessionId;
  setup: Setup;
  phase: RunPhase;
  choices: Choice[];
  /** Epoch milliseconds of our POST. All `…Ms` below are monotonic milliseconds since then. */
  sentAt?: number;
  /** By whose clock they are: the server's, which knows nothing of a busy page; absent: the page's. */
  timedBy?: 'server';
  firstTokenMs?: number;
  firstTextMs?: number;
  /** Arrival of the newest event that carried something. */
  lastEventMs?: number;
  endedMs?: number;
  /** What we sent as X-Request-ID, and what came back if anything did. */
  requestId?: string;
  returnedRequestId?: string;
  /** Gateway of the request; absent in runs from before it was stored, whose opaque fields are not sent. */
  gatewayId?: string;
  /** Names of the fields that its request sent in messages and calls beside those of §2.2, and `name` of results. */
  messageFields?: string[];
  /** The opaque fields came with a file. */
  isImported?: true;
  /** As the answer reported it. */
  model?: string;
  responseId?: string;
  status?: number;
  usage?: Usage;
  /** Reason of the provider for blocking the prompt; it counts only without an answer. */
  blockReason?: string;
  /** Deltas with text so far: the estimate of tokens where no usage is reported. */
  deltas: number;
  /** Of the request, from its length; shown with `~` where no usage is reported. */
  estimatedPromptTokens?: number;
  /** So many images of the conversation were left out: the model takes words only. */
  imagesLeftOut?: number;
  notes: Note[];
  /** Sources that belong to all candidates. */
  sources?: readonly Source[];
  /** What came and is part of no answer, raw, at most 64 KiB; the tape has all of it. */
  leftOver?: string;
  /** [DONE] was seen. */
  done?: true;
  /** The answer belongs to a cell of a trial, whose id `sessionId` holds then. */
  cell?: { trialId: string; caseId: string; columnId: string; repeat: number };
}

export interface Note {
  kind: NoteKind;
  count: number;
  detail?: string;
}

/** Parts in order of arrival. */
export interface Choice {
  parts: Part[];
  /** The text as speech. */
  sound?: Sound;
  sources?: readonly Source[];
  finishReason?: string;
  /** Text that may yet turn out to be the start of a reasoning tag; shown as text when the run ends. */
  held?: string;
  /** Inside of reasoning at the start of the answer: the tag that will close it. */
  inThinkTag?: string;
  /** Reasoning of a field of its own came, too: no end of the tag's is looked for in it. */
  hasOwnReasoning?: true;
  /** Reasoning tags were opened, or none is looked for any more. */
  tags?: 'opened' | 'done';
  /** Fields of the message that its model may need in the next request. */
  opaque?: OpaqueFields;
}

export type Part =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string; startedMs: number; endedMs: number; deltas: number }
  | { type: 'refusal'; text: string }
  | { type: 'tool-call'; slot: number; id?: string; name: string; arguments: string; opaque?: OpaqueFields }
  /** `url`: a reference to a stored image, a data URL where it could not be stored, or a web address. */
  | { type: 'image'; url: string };

/** Everything of one session, by id. */
export interface SessionData {
  session: Session;
  lanes: Record<LaneId, Lane>;
  prompts: Record<PromptId, Prompt>;
  turns: Record<TurnId, Turn>;
  runs: Record<RunId, Run>;
}
