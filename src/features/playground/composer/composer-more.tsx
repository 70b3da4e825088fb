/** The composer's parts that are not needed before the first words: images, names, values, messages by hand. */
export { readImages } from '../attachments/read-images.ts';
export { AddAs } from './add-as.tsx';
export { PastedTexts } from '../attachments/pasted-texts.tsx';
export { ComposerTools } from './composer-tools.tsx';
export { ComposerTop } from './composer-top.tsx';
