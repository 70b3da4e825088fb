/** Looks for a query: in what is stored, else by a request where one may be spent. */
import { wordsOf } from '../../../lib/error-words.ts';
import type { Lab } from '../hooks/use-lab.ts';
import type { LoadedSet } from '../lab/lab-store.ts';
import { findStore, inputOf } from './find-store.ts';

export interface UnderWay {
  stop: AbortController;
  name: string;
  maySpend: boolean;
}

interface Asked {
  set: LoadedSet;
  words: string;
  template: string;
  maySpend: boolean;
}

/** The vector of the words comes into the store, in place of what was under way. */
export async function lookFor(
  { knownQuery, embedQuery }: Lab,
  under: { current: UnderWay | undefined },
  { set: { slot, version }, words, template, maySpend }: Asked,
): Promise<void> {
  const input = inputOf(words, template);
  const name = JSON.stringify([slot, version, input]);
  // Enter came before the pause was over: what is paid for is not given up for a look at the same words.
  if (under.current?.maySpend === true && under.current.name === name) return;
  under.current?.stop.abort();
  under.current = undefined;
  const { found } = findStore.getState();
  if (found?.slot === slot && found.version === version && found.input === input) {
    findStore.setState({ isAsking: false, problem: undefined });
    return;
  }
  const stop = new AbortController();
  under.current = { stop, name, maySpend };
  try {
    let vector = await knownQuery(slot, input);
    if (stop.signal.aborted) return;
    if (!vector) {
      // What was found for other words would be taken for an answer to these.
      findStore.setState({ found: undefined, problem: undefined });
      if (!maySpend) return;
      findStore.setState({ isAsking: true });
      vector = await embedQuery(slot, input, stop.signal);
      if (stop.signal.aborted) return;
    }
    findStore.setState({ found: { slot, version, query: words, input, vector }, problem: undefined });
  } catch (error) {
    if (!stop.signal.aborted) findStore.setState({ problem: wordsOf(error) });
  } finally {
    if (under.current?.stop === stop) {
      under.current = undefined;
      findStore.setState({ isAsking: false });
    }
  }
}
