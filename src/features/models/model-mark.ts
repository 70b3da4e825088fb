interface Facts {
  id: string;
  isListKnown: boolean;
  /** It stood in the list when an earlier request went to it. */
  wasListed: boolean;
}

/** The sentence for a model that the gateway does not list; undefined while that is not known. */
export function modelMarkOf({ id, isListKnown, wasListed }: Facts): string | undefined {
  if (id === '' || !isListKnown) return undefined;
  return wasListed
    ? 'No longer in the list. It may have been retired.'
    : 'Not listed by the gateway; sent anyway';
}
