import type { DemoModel } from '../model.ts';
import { textPieces } from './pieces.ts';

export const markdown: DemoModel = {
  id: 'demo/markdown',
  about: 'Being built.',
  abilities: { vision: false, tools: false, thinking: false },
  reply: () => textPieces('This model is being built. It answers with this sentence until then.'),
};
