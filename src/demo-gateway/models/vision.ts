import type { DemoModel } from '../model.ts';
import { textPieces } from './pieces.ts';

export const vision: DemoModel = {
  id: 'demo/vision',
  about: 'Being built.',
  abilities: { vision: true, tools: false, thinking: false },
  reply: () => textPieces('This model is being built. It answers with this sentence until then.'),
};
