export async function measureSession() {
  return undefined;
}
