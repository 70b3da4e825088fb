/** What the overview of a set never asks for, UMAP aside. One file, loaded with the first such call. */
export { comparisonOf } from '../search/compare.ts';
export { connectHelper } from './connect-helper.ts';
export { neighboursOf, neighboursPartOf } from '../search/neighbours.ts';
export { sketchOf } from '../search/sketch.ts';
