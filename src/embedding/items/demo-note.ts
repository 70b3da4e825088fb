/** Describes an embedding model of the demo gateway in a few words; `undefined` for other models. */
export function getDemoModelNote(modelId: string): string | undefined {
  if (modelId === 'demo/meaning-en')
    return 'Small English demo model: captures word meaning but little grammar';
  return modelId.startsWith('demo/') ? 'Demo model: compares spelling, not meaning' : undefined;
}
