/**
 * What the lab needs only after an act: a text is chosen or looked for, a smaller size or UMAP is tried, a large matrix is
 * looked at from near, texts come from a file or as token numbers, or one of them fails. One file, loaded with the first
 * of these.
 */
export { alignMap } from '../../../embedding/maps/align-map.ts';
export { HeatTiles } from '../heat/heat-tiles.ts';
export * as pointing from '../canvas/pointing.ts';
export { faultWords } from '../fault-words.ts';
export { FileCard } from '../texts/file-card.tsx';
export { createLabQueries } from './lab-queries.ts';
export * as otherInput from './other-input.ts';
export { BrokenTexts } from '../views/broken-texts.tsx';
export { CutWords } from '../views/cut-words.tsx';
export { FindTemplate } from '../nearest/find-template.tsx';
export { lookFor } from '../nearest/look-for.ts';
export { NearestList } from '../nearest/nearest-list.tsx';
export { UmapFields } from '../map/umap-fields.tsx';
