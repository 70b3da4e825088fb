/** What the overview of a set never asks for, UMAP aside. One file, loaded with the first such call. */
export { comparisonOf } from './compare.ts';
export { connectHelper } from './connect-helper.ts';
export { neighboursOf, neighboursPartOf } from './neighbours.ts';
export { sketchOf } from './sketch.ts';
