import { paramState, type Params } from './params.ts';
import type { Run } from './types.ts';

/** True where a stream brought no usage and the lane does not ask for it yet. */
export function usageAdvice(run: Run, params: Params): boolean {
  const streamed = paramState(run.setup.params, 'stream');
  const asked = paramState(params, 'stream_options');
  const ended = run.phase.name === 'complete' && run.usage === undefined;
  return ended && streamed.state === 'sent' && streamed.value === true && asked.state !== 'sent';
}
