interface Facts {
  id: string;
  isListKnown: boolean;
  /** An earlier request went to it. */
  wasUsed: boolean;
}

/** The sentence for a model that the gateway does not list; undefined while that is not known. */
export function modelMarkOf({ id, isListKnown, wasUsed }: Facts): string | undefined {
  if (id === '' || !isListKnown) return undefined;
  return wasUsed
    ? 'Not in the list any more. It may have been retired.'
    : 'Not in the list. It is sent as typed.';
}
