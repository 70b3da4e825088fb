/** Exports the results of the lab as files. */
import { chunk } from 'es-toolkit';

import { getDemoModelNote } from '../../embedding/items/demo-note.ts';
import {
  formatVectorCsv,
  formatIdLines,
  formatJsonLines,
  encodeNpy,
  formatSpecJson,
  type ExportedVector,
} from '../../embedding/items/export-vectors.ts';
import { listSizesUpTo } from '../../embedding/items/model-dimensions.ts';
import { formatFields } from '../../embedding/items/vector-key.ts';
import { pluralize } from '../../lib/format.ts';
import { labSeed, getShownSet, type LoadedSet } from '../../state/lab/lab-state.ts';
import type { Lab } from '../../state/lab/lab.ts';
import { saveFile } from '../../ui/display/save-file.ts';

export type LabFileFormat = 'json' | 'jsonl' | 'csv' | 'npy' | 'report';

const sliceSize = 256;
/** Maximum number of rows for which a report includes the truncation curve, so that it takes less than a second. */
const maxSweepRows = 2000;

/**
 * Saves the shown results as a file and returns an announcement. Rejects if a vector is no longer stored. File name and
 * report contain the name of the gateway if there is one.
 */
export async function saveLabFile(
  format: LabFileFormat,
  lab: Lab,
  gatewayName: string | undefined,
): Promise<string> {
  const set = getShownSet(lab.state.getState());
  if (!set) return 'Embed some texts first.';
  const source = gatewayName === undefined ? set.model : `${gatewayName}-${set.model}`;
  const name = `embeddings-${source.replaceAll(/[^\w.-]+/g, '-')}-${set.dimensions}`;
  if (format === 'report') {
    saveFile(
      [JSON.stringify(await buildReport(set, lab, gatewayName), null, 2), '\n'],
      `${name}-report.json`,
      'application/json',
    );
    return 'Report saved.';
  }
  const vectors = await loadStoredVectors(set, lab);
  const tokens = lab.state.getState().jobs[set.slot]?.state.getState().tokens;
  switch (format) {
    case 'json':
      saveFile(
        [...formatSpecJson(vectors, { model: set.model, ...(tokens === undefined ? {} : { tokens }) })],
        `${name}.json`,
        'application/json',
      );
      break;
    case 'jsonl':
      saveFile([...formatJsonLines(vectors)], `${name}.jsonl`, 'application/jsonl');
      break;
    case 'csv':
      saveFile([...formatVectorCsv(vectors, set.dimensions)], `${name}.csv`, 'text/csv');
      break;
    case 'npy':
      saveFile(
        [...encodeNpy(vectors, vectors.length, set.dimensions)],
        `${name}.npy`,
        'application/octet-stream',
      );
      saveFile([...formatIdLines(vectors)], `${name}-ids.jsonl`, 'application/jsonl');
  }
  return `${pluralize(vectors.length, 'vector')} saved.`;
}

/** Returns the vectors as received, in the order of the texts. */
async function loadStoredVectors(set: LoadedSet, { state, vectors }: Lab): Promise<ExportedVector[]> {
  const { texts, groups, jobs } = state.getState();
  const keys = jobs[set.slot]?.getKeys() ?? [];
  const exportedVectors: ExportedVector[] = [];
  for (const textIndexes of chunk(set.rows, sliceSize)) {
    const stored = await vectors.get(textIndexes.map((textIndex) => keys[textIndex] ?? ''));
    for (const [index, textIndex] of textIndexes.entries()) {
      const vector = stored[index]?.vector;
      if (!vector) throw new Error('Some vectors are no longer stored. Embed again, then save.');
      const { text = '', group } = texts[textIndex] ?? {};
      const label = group === undefined ? undefined : groups[group];
      exportedVectors.push({ id: textIndex, text, vector, ...(label === undefined ? {} : { label }) });
    }
  }
  return exportedVectors;
}

/** Builds a report with the results and everything needed to reproduce them. */
async function buildReport(
  set: LoadedSet,
  { state, engine }: Lab,
  gatewayName: string | undefined,
): Promise<object> {
  const { jobs, input, find, texts, groups, shownDimensions, map } = state.getState();
  const job = jobs[set.slot];
  const jobState = job?.state.getState();
  const view = { set: set.slot };
  const { layout, umap } = map;
  const isSmall = set.rows.length <= maxSweepRows && set.rows.length > 2;
  const labels = Int32Array.from(set.rows, (textIndex) => texts[textIndex]?.group ?? -1);
  const sweep = isSmall
    ? await engine.sweep(set.slot, {
        dimensions: listSizesUpTo(set.dimensions),
        k: Math.min(10, set.rows.length - 1),
        seed: labSeed,
        ...(groups.length > 0 ? { labels } : {}),
      })
    : undefined;
  const pca = isSmall ? await engine.computePca(view) : undefined;
  return {
    what: 'Report of the embeddings lab of Bench',
    settings: {
      model: set.model,
      gateway: gatewayName,
      dimensionsAsked: job?.setup.dimensions ?? null,
      dimensionsReceived: set.dimensions,
      cutInTheViews: shownDimensions ?? null,
      encodingFormat: job?.setup.format ?? null,
      extraFields: formatFields(job?.setup.fields),
      extraFieldsOfQuery: find.fields,
      inputs: input.mode,
    },
    note: getDemoModelNote(set.model),
    texts: { count: texts.length, withVector: set.rows.length, groups },
    requests: jobState && {
      answered: jobState.requests,
      counts: jobState.counts,
      tokens: jobState.tokens ?? null,
      tookMs: Math.round(jobState.durationMs),
    },
    findings: jobState?.findings.map(({ inputs, ...finding }) => ({ ...finding, texts: inputs.length })),
    arithmetic: await engine.getInfo(),
    map: { layout, umap },
    seeds: { clusters: labSeed, umap: umap.seed, sweep: labSeed },
    pca: pca && { explained: pca.explained },
    truncation: sweep?.map(({ queries: _queries, keptCounts: _kept, ...step }) => step),
  };
}
