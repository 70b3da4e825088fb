import type { Run } from '../session/types.ts';
import { paramState, type Params } from '../setup/params.ts';

/** True where a stream brought no usage, and the lane does not ask for it since a person said so. */
export function usageAdvice(run: Run, params: Params): boolean {
  const streamed = paramState(run.setup.params, 'stream');
  const asked = paramState(params, 'stream_options');
  const ended = run.phase.name === 'complete' && run.usage === undefined;
  if (params.stream_options?.byDefault === true) return false;
  return ended && streamed.state === 'sent' && streamed.value === true && asked.state !== 'sent';
}
