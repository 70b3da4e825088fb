import { useStore } from 'zustand';

import { GatewayError, type ErrorReport } from '../../gateway/errors.ts';
import { newRandomId } from '../../lib/ids.ts';
import { usePlayground } from '../../state/react.tsx';
import { useModels } from '../models/use-models.ts';
import { embeddingsStore } from './embeddings-store.ts';
import { linesOf } from './similarity.ts';

/** The embeddings screen's state, and what can be done with it. */
export function useEmbeddings() {
  const { gateway, queue, signals } = usePlayground();
  const state = useStore(embeddingsStore);
  const { data: list } = useModels();
  const model = state.model || (list?.models.find((candidate) => candidate.kind === 'embedding')?.id ?? '');
  const texts = linesOf(state.text);

  const embed = async () => {
    if (state.running || texts.length === 0 || model === '') return;
    const running = new AbortController();
    const requestId = newRandomId(Date.now());
    embeddingsStore.setState({ running, problem: undefined });
    let leave: (() => void) | undefined;
    try {
      leave = await queue.enter(requestId, running.signal);
      const answer = await gateway.embed({ model, input: texts }, { signal: running.signal, requestId });
      signals.heardStatus(200);
      embeddingsStore.setState({ result: { texts, model, answer } });
    } catch (error) {
      if (error instanceof GatewayError && error.report.kind === 'key-rejected') signals.heardStatus(401);
      if (!running.signal.aborted) embeddingsStore.setState({ problem: reportOf(error) });
    } finally {
      leave?.();
      embeddingsStore.setState({ running: undefined });
    }
  };

  return {
    ...state,
    model,
    texts,
    embed,
    stop: () => state.running?.abort(),
    setText: (text: string) => embeddingsStore.setState({ text }),
    setModel: (next: string) => embeddingsStore.setState({ model: next }),
  };
}

function reportOf(error: unknown): ErrorReport {
  if (error instanceof GatewayError) return error.report;
  return { source: 'app', kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
