import { formatError } from '../../lib/format-error.ts';
import { ApiError, toErrorBody } from '../api-error.ts';
import type { CandidateDelta } from './candidate.ts';
import type { ChatRun } from './chat-run.ts';
import type { ChoiceStep } from './completion.ts';

/**
 * Streams a run as server-sent events (§2.5, §6). Generates only on demand; cancelling the stream or aborting the run
 * stops generation immediately.
 */
export function createEventStream(run: ChatRun): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const toChunks = createChunker(run);
  const formatEvent = (data: unknown) => `data: ${JSON.stringify(data, run.jsonReplacer)}\n\n`;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // Steps whose text is held back produce no chunk, but a pull must enqueue something.
          for (;;) {
            const next = await run.batches.next();
            const events = next.done
              ? formatLastEvents(run, formatEvent)
              : next.value.flat().flatMap(toChunks).map(formatEvent).join('');
            if (events !== '') controller.enqueue(encoder.encode(events));
            if (next.done) controller.close();
            if (events !== '') return;
          }
        } catch (error) {
          if (run.abortController.signal.aborted) {
            controller.error(run.abortController.signal.reason);
            return;
          }
          const failure = new ApiError('internal_error', `The demo model failed: ${formatError(error)}`);
          controller.enqueue(encoder.encode(formatEvent(toErrorBody(failure))));
          controller.close();
        }
      },
      async cancel(reason) {
        run.abortController.abort(reason);
        await run.batches.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns the last events: a usage chunk without choices, if requested, then the end marker (§6.3). */
function formatLastEvents(run: ChatRun, formatEvent: (data: unknown) => string): string {
  const commonFields = run.getCommonFields('chat.completion.chunk');
  const usage = run.includeUsage
    ? formatEvent({ ...commonFields, choices: [], usage: run.usage.toJson() })
    : '';
  return `${usage}data: [DONE]\n\n`;
}

/**
 * Returns a function that converts steps to chunks: the role before a candidate's first delta, and the finish reason in
 * a separate chunk (§2.5).
 */
function createChunker(run: ChatRun): (step: ChoiceStep) => unknown[] {
  const commonFields = run.getCommonFields('chat.completion.chunk');
  const startedChoices = new Set<number>();
  const createChunk = (index: number, delta: unknown, finishReason: string | null = null) => ({
    ...commonFields,
    choices: [{ index, delta, finish_reason: finishReason }],
  });
  return (step) => {
    run.usage.add(step);
    const chunks: unknown[] = step.deltas.map((delta) => createChunk(step.choice, toWireDelta(delta)));
    if (!startedChoices.has(step.choice))
      chunks.unshift(createChunk(step.choice, { role: 'assistant', content: '' }));
    startedChoices.add(step.choice);
    if (step.finishReason !== undefined) chunks.push(createChunk(step.choice, {}, step.finishReason));
    return chunks;
  };
}

function toWireDelta(delta: CandidateDelta): unknown {
  if ('text' in delta) return { content: delta.text };
  if ('thinking' in delta) return delta.wireFields ?? { reasoning_content: delta.thinking };
  if ('toolArguments' in delta) {
    const { index, fragment } = delta.toolArguments;
    return { tool_calls: [{ index, function: { arguments: fragment } }] };
  }
  const { index, id, name, fields } = delta.toolCall;
  return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' }, ...fields }] };
}
