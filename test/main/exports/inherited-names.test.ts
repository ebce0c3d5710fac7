import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readRules } from '#shared/checks/rules-file'
import { readClientFile } from '#shared/ipc/client-file'
import { exportPresetSchema } from '#shared/reports/export-presets'
import { ndjsonChunks } from '../../../src-main/exports/export-writers'
import { readIcs } from '../../../src-main/exports/ics-read'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { readSheetRows } from '../../../src-main/tables/sheet-rows'
import { column, rowsOf } from '../../helpers/export-tables'

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

/** Files may use names that every object inherits. They are names like any other, and change nothing for other objects. */
describe('names that every object inherits', () => {
  afterEach(() => {
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  async function csv(): Promise<string> {
    const path = join(await mkdtemp(join(tmpdir(), 'inherited-')), 'plan.csv')
    await writeFile(path, `${names.join(',')}\r\n${names.map((_name, at) => at + 1).join(',')}\r\n`)
    return path
  }

  it('are columns of a table and of a sheet', async () => {
    const path = await csv()
    expect((await readSheetRows(path)).rows[0]).toEqual(names)
    const table = await readReportFile(path)
    expect(table.columns.map(({ about }) => about.head)).toEqual(names)
  })

  it('are keys of exported records', () => {
    const table = rowsOf(
      1,
      names.map((name) => column(name, 'text')),
    )
    const [line] = [...ndjsonChunks(table)].join('').split('\n')
    expect([...line!.matchAll(/"([^"]+)":/g)].map(([, key]) => key)).toEqual(names)
  })

  it.each(names)('%s is no property of an imported event', (name) => {
    const extra = JSON.stringify({
      colorId: '3',
      attachments: [{ fileUrl: 'https://example.com', HERE: { polluted: true } }],
    })
    const lines = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'UID:1',
      'SUMMARY:A',
      `DTSTART;${name.replaceAll('_', '-')}=x:20260601T090000Z`,
      `${name.replaceAll('_', '-')}:polluted`,
      `X-${name.replaceAll('_', '-')};X-P=polluted:polluted`,
      `X-FLIGHTPLAN-EXTRA:${extra.replace('HERE', name).replaceAll(',', '\\,')}`,
      'END:VEVENT',
      'END:VCALENDAR',
    ]
    const [event] = readIcs(lines.join('\r\n'), 'UTC').events
    expect(event).toMatchObject({ summary: 'A' })
    expect(JSON.stringify(event)).not.toContain('"__proto__"')
  })

  it.each(names)('%s is refused or ignored in rules, presets, and client files', (name) => {
    const inside = `"${name}":{"polluted":true}`
    const rule = `{"name":"A","kind":"${name}","severity":"error","when":[{"column":"${name}","empty":true,${inside}}],"words":"x",${inside}}`
    const rules = readRules(
      `{"format":"flightplan-check-rules","version":1,"rules":[${rule}],${inside}}`,
      () => undefined,
    )
    expect(JSON.stringify(rules.rules)).not.toContain('polluted')
    const client = readClientFile(`{"installed":{"client_id":"a",${inside}},${inside}}`)
    expect(client).toEqual({ clientId: 'a' })
    const preset = exportPresetSchema.safeParse(
      JSON.parse(`{"id":"1","name":"A","of":"table","format":"csv",${inside}}`),
    )
    expect(JSON.stringify(preset.data ?? {})).not.toContain('polluted')
  })
})
