/**
 * What the lab needs only after an act: a text is chosen or looked for, a smaller size or UMAP is tried, a large matrix is
 * looked at from near, texts come from a file or as token numbers, or one of them fails. One file, loaded with the first
 * of these.
 */
export { alignMap } from '../../embedding/align-map.ts';
export { HeatTiles } from './canvas/heat-tiles.ts';
export * as pointing from './canvas/pointing.ts';
export { faultWords } from './fault-words.ts';
export { FileCard } from './file-card.tsx';
export { createLabQueries } from './lab-queries.ts';
export * as otherInput from './other-input.ts';
export { BrokenTexts } from './views/broken-texts.tsx';
export { CutWords } from './views/cut-words.tsx';
export { FindTemplate } from './views/find-template.tsx';
export { lookFor } from './views/look-for.ts';
export { NearestList } from './views/nearest-list.tsx';
export { UmapFields } from './views/umap-fields.tsx';
