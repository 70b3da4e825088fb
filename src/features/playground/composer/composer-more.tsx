/** The composer's parts that are not needed before the first words: images, names, values, messages by hand. */
export { readImages } from './read-images.ts';
export { AddAs } from './add-as.tsx';
export { PastedTexts } from './pasted-texts.tsx';
export { ComposerTools } from './composer-tools.tsx';
export { ComposerTop } from './composer-top.tsx';
