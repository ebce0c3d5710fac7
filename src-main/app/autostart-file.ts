/** A desktop entry, with arguments quoted according to its specification. */
export function autostartFile(command: readonly string[]): string {
  const quoted = command.map((word) => `"${word.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`)
  return `[Desktop Entry]\nType=Application\nName=Flightplan\nExec=${quoted.join(' ')}\nX-GNOME-Autostart-enabled=true\n`
}
