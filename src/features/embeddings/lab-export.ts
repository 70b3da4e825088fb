import { demoNoteOf } from '../../embedding/items/demo-note.ts';
/** Files of what the lab holds. */
import {
  csv,
  idLines,
  jsonLines,
  npy,
  specJson,
  type ExportedVector,
} from '../../embedding/items/export-vectors.ts';
import { cutsOf } from '../../embedding/items/model-dimensions.ts';
import { formatFields } from '../../embedding/items/vector-key.ts';
import { pluralize } from '../../lib/format.ts';
import { seed, shownSet, type LoadedSet } from '../../state/lab/lab-state.ts';
import type { Lab } from '../../state/lab/lab.ts';
import { saveFile } from '../../ui/display/save-file.ts';

export type LabFile = 'json' | 'jsonl' | 'csv' | 'npy' | 'report';

const sliceSize = 256;
/** Rows of which a report tells the truncation curve: it takes under a second up to here. */
const mostSweptRows = 2000;

/** Saves what is shown as a file; returns what to say about it. Rejects where a vector is no longer stored. */
export async function saveLabFile(form: LabFile, lab: Lab): Promise<string> {
  const set = shownSet(lab.state.getState());
  if (!set) return 'Embed some texts first.';
  const name = `embeddings-${set.model.replaceAll(/[^\w.-]+/g, '-')}-${set.dimensions}`;
  if (form === 'report') {
    saveFile(
      [JSON.stringify(await reportOf(set, lab), null, 2), '\n'],
      `${name}-report.json`,
      'application/json',
    );
    return 'Report saved.';
  }
  const vectors = await storedVectors(set, lab);
  const tokens = lab.state.getState().jobs[set.slot]?.state.getState().tokens;
  switch (form) {
    case 'json':
      saveFile(
        [...specJson(vectors, { model: set.model, ...(tokens === undefined ? {} : { tokens }) })],
        `${name}.json`,
        'application/json',
      );
      break;
    case 'jsonl':
      saveFile([...jsonLines(vectors)], `${name}.jsonl`, 'application/jsonl');
      break;
    case 'csv':
      saveFile([...csv(vectors, set.dimensions)], `${name}.csv`, 'text/csv');
      break;
    case 'npy':
      saveFile([...npy(vectors, vectors.length, set.dimensions)], `${name}.npy`, 'application/octet-stream');
      saveFile([...idLines(vectors)], `${name}-ids.jsonl`, 'application/jsonl');
  }
  return `${pluralize(vectors.length, 'vector')} saved.`;
}

/** As received, in the order of the texts. */
async function storedVectors(set: LoadedSet, { state, vectors }: Lab): Promise<ExportedVector[]> {
  const { texts, groups, jobs } = state.getState();
  const keys = jobs[set.slot]?.keys() ?? [];
  const exported: ExportedVector[] = [];
  for (let at = 0; at < set.rows.length; at += sliceSize) {
    const places = set.rows.slice(at, at + sliceSize);
    const stored = await vectors.get(places.map((place) => keys[place] ?? ''));
    for (const [index, place] of places.entries()) {
      const vector = stored[index]?.vector;
      if (!vector) throw new Error('Some vectors are no longer stored. Embed again, then save.');
      const { text = '', group } = texts[place] ?? {};
      const label = group === undefined ? undefined : groups[group];
      exported.push({ id: place, text, vector, ...(label === undefined ? {} : { label }) });
    }
  }
  return exported;
}

/** Everything that is needed to do it again, and what came out. */
async function reportOf(set: LoadedSet, { state, engine }: Lab): Promise<object> {
  const { jobs, input, find, texts, groups, cut, map } = state.getState();
  const job = jobs[set.slot];
  const done = job?.state.getState();
  const view = { set: set.slot };
  const { layout, umap } = map;
  const isSmall = set.rows.length <= mostSweptRows && set.rows.length > 2;
  const labels = Int32Array.from(set.rows, (place) => texts[place]?.group ?? -1);
  const sweep = isSmall
    ? await engine.sweep(set.slot, {
        dimensions: cutsOf(set.dimensions),
        k: Math.min(10, set.rows.length - 1),
        seed,
        ...(groups.length > 0 ? { labels } : {}),
      })
    : undefined;
  const pca = isSmall ? await engine.pca(view) : undefined;
  return {
    what: 'Report of the embeddings lab of Bench',
    settings: {
      model: set.model,
      dimensionsAsked: job?.setup.dimensions ?? null,
      dimensionsReceived: set.dimensions,
      cutInTheViews: cut ?? null,
      encodingFormat: job?.setup.format ?? null,
      extraFields: formatFields(job?.setup.fields),
      extraFieldsOfQuery: find.fields,
      inputs: input.mode,
    },
    note: demoNoteOf(set.model),
    texts: { count: texts.length, withVector: set.rows.length, groups },
    requests: done && {
      answered: done.requests,
      counts: done.counts,
      tokens: done.tokens ?? null,
      tookMs: Math.round(done.tookMs),
    },
    findings: done?.findings.map(({ inputs, ...finding }) => ({ ...finding, texts: inputs.length })),
    arithmetic: await engine.facts(),
    map: { layout, umap },
    seeds: { clusters: seed, umap: umap.seed, sweep: seed },
    pca: pca && { explained: pca.explained },
    truncation: sweep?.map(({ queries: _queries, kept: _kept, ...step }) => step),
  };
}
