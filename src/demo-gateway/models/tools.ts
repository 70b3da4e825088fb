import type { DemoModel } from '../model.ts';
import { textPieces } from './pieces.ts';

export const tools: DemoModel = {
  id: 'demo/tools',
  about: 'Being built.',
  abilities: { vision: false, tools: true, thinking: false },
  reply: () => textPieces('This model is being built. It answers with this sentence until then.'),
};
