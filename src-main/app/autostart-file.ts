/** A desktop entry. Arguments are quoted as its specification says. */
export function autostartFile(command: readonly string[]): string {
  const quoted = command.map((word) => `"${word.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`)
  return `[Desktop Entry]\nType=Application\nName=Flightplan\nExec=${quoted.join(' ')}\nX-GNOME-Autostart-enabled=true\n`
}
