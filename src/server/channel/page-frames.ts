import * as v from 'valibot';

import { parseJson } from '../../lib/json.ts';

/** A text frame that a page may send. */
export type PageFrame = v.InferOutput<typeof pageFrameSchema>;

const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const runNumberSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0xff_ff_ff_ff));
const headerValueSchema = v.pipe(v.string(), v.maxLength(256), v.regex(/^[\x20-\x7e]*$/));

const pageFrameSchema = v.union([
  /** The first frame: a new channel, or the name of the channel to resume and the progress of each run. */
  v.strictObject({
    channel: v.optional(v.pipe(v.string(), v.maxLength(64))),
    runs: v.pipe(
      v.array(v.strictObject({ run: runNumberSchema, frames: countSchema, taken: countSchema })),
      v.maxLength(64),
    ),
  }),
  /** A request; its body follows in binary frames. */
  v.strictObject({
    run: runNumberSchema,
    path: v.pipe(
      v.string(),
      v.maxLength(128),
      v.regex(/^(?:\/(?!v1\/)[a-z][a-z0-9-]*)?\/v1\/(?:chat\/completions|embeddings)$/),
    ),
    accept: headerValueSchema,
    requestId: v.optional(headerValueSchema),
    /** Addressed to the demo gateway even if another gateway is configured. */
    demo: v.optional(v.literal(true)),
    bytes: countSchema,
  }),
  /** Total number of answer bytes consumed so far. */
  v.strictObject({ run: runNumberSchema, taken: countSchema }),
  /** The run has ended on the page or must be stopped. */
  v.strictObject({ run: runNumberSchema, stop: v.literal(true) }),
]);

/** Parses a text frame; `undefined` for anything else. */
export function readPageFrame(text: string): PageFrame | undefined {
  const parsed = parseJson(text);
  const result = v.safeParse(pageFrameSchema, parsed.ok && parsed.value);
  return result.success ? result.output : undefined;
}
