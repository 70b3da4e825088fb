/** Shows keys as printed on the user's keyboard. Keys of an inner list are pressed together; `Mod` is Ctrl or Cmd. */
export function KeyboardShortcut({ keys }: { keys: readonly (readonly string[])[] }) {
  const isMac = /mac|iphone|ipad/i.test(navigator.platform);
  return keys.map((chord) => (
    <span key={chord.join()}>
      {chord.map((key) => (
        <kbd key={key}>{key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : key === 'Alt' && isMac ? '⌥' : key}</kbd>
      ))}
    </span>
  ));
}
