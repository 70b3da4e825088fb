/** Small choices of the person, wanted before the first paint. The only place that touches localStorage. */
import * as v from 'valibot';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ModelMarks } from '../conversation/model-marks.ts';
import type { Setup } from '../conversation/types.ts';
import { setupSchema } from '../conversation/records.ts';
import { parseJson } from '../lib/json.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Prefs {
  theme: Theme;
  parametersOpen: boolean;
  /** Shortcuts of one key without a modifier; some speech input types them by accident. */
  singleKeys: boolean;
  /** Model and parameters of the last run: what a new session starts with. */
  lastSetup?: Setup | undefined;
  lastSessionId?: string | undefined;
  favouriteModels: readonly string[];
  /** The newest first, at most five. */
  recentModels: readonly string[];
  /** Lower than the server's limit, or undefined to use that. */
  requestsPerMinute?: number | undefined;
  /** What a person knows of models that their records do not say, or say wrongly. */
  modelMarks?: ModelMarks;
}

const storageKey = 'bench-prefs';

const first: Prefs = { theme: 'system', parametersOpen: true, singleKeys: true, favouriteModels: [], recentModels: [] };

const ability = v.exactOptional(v.boolean());
const markSchema = v.object({ vision: ability, tools: ability, thinking: ability });

const schema = v.object({
  theme: v.fallback(v.picklist(['system', 'light', 'dark']), 'system'),
  parametersOpen: v.fallback(v.boolean(), true),
  singleKeys: v.fallback(v.boolean(), true),
  lastSetup: v.fallback(v.optional(setupSchema), undefined),
  lastSessionId: v.fallback(v.optional(v.string()), undefined),
  favouriteModels: v.fallback(v.array(v.string()), []),
  recentModels: v.fallback(v.array(v.string()), []),
  requestsPerMinute: v.fallback(v.optional(v.number()), undefined),
  modelMarks: v.fallback(v.record(v.string(), markSchema), {}),
});

export type PrefsStore = StoreApi<Prefs>;

/** Reads what is stored, whatever it is, and stores each change. Works without localStorage. */
export function createPrefsStore(): PrefsStore {
  const store = createStore<Prefs>(() => readStored());
  store.subscribe((prefs) => {
    try {
      localStorage.setItem(storageKey, JSON.stringify(prefs));
    } catch {
      // A full or forbidden storage costs the choice at the next visit, nothing now.
    }
  });
  return store;
}

function readStored(): Prefs {
  try {
    const text = localStorage.getItem(storageKey);
    const reading = text === null ? undefined : parseJson(text);
    const parsed = reading?.ok ? v.safeParse(schema, reading.value) : undefined;
    return parsed?.success ? parsed.output : first;
  } catch {
    return first;
  }
}

/** The prefs after a model was used: it leads the recent ones. */
export function withRecentModel(prefs: Prefs, model: string): Partial<Prefs> {
  return { recentModels: [model, ...prefs.recentModels.filter((other) => other !== model)].slice(0, 5) };
}
