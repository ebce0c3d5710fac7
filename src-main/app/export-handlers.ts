import { basename, isAbsolute } from 'node:path'
import { FaultError } from '#shared/fault'
import { formatWords } from '#shared/reports/export-formats'
import type { ExportRuleSeen } from '#shared/reports/export-rules'
import { checkedPng } from '../exports/picture'
import type { TableWriter } from '../exports/write-away'
import type { Handlers, HandlersOf } from '../ipc/handle'
import type { AutoExports } from '../reports/auto-exports'
import type { ManyExports } from '../reports/export-many'
import type { UntrustedFiles } from '../reports/untrusted-files'
import type { ExportPresets } from './export-presets'
import { writingOf, type Writing } from './export-run'
import type { ExportsUnderWay } from './exports-under-way'
import { chooseFolder, noteWritten, placeFor, saveAt, wasChosen, type FilePlaces } from './files'

export interface ExportDeps extends Writing {
  files: FilePlaces
  underWay: ExportsUnderWay
  writer: TableWriter
  untrustedFiles: UntrustedFiles
  presets: ExportPresets
  rules: AutoExports
  many: ManyExports
}

type ExportHandlers = HandlersOf<'table' | 'export-folders' | 'presets' | 'rules' | 'many'> &
  Pick<Handlers, 'export/chart'>

/** Handlers for exports: tables and charts of the window, several runs at once, automatic ones, and presets. */
export function exportHandlers(deps: ExportDeps): ExportHandlers {
  const { files, underWay, writer, untrustedFiles, presets, rules, many } = deps
  return {
    'table/begin': async ({ suggestedName, folder, head, ...wanted }) => {
      const { format } = wanted
      const place = await placeFor(files, {
        name: suggestedName,
        extension: `.${format}`,
        kind: formatWords(format),
        folder,
      })
      if (place === undefined) return null
      const { path, replace, done } = place
      const id = writer.begin(path, head, { ...writingOf(wanted, deps), replace }, () => {
        end()
        done()
      })
      const end = underWay.begin(`table ${id}`, basename(path))
      return { id }
    },
    'table/rows': ({ id, ...page }) => writer.rows(id, page),
    'table/end': async ({ id }) => {
      const written = await writer.end(id)
      noteWritten(written.path)
      return written
    },
    'table/stop': ({ id }) => writer.stop(id),
    // Validates a picture before asking where to save it.
    'export/chart': async ({ suggestedName, folder, ...picture }) => {
      const content = picture.format === 'svg' ? await untrustedFiles.svg(picture.text) : checkedPng(picture.bytes)
      const kind = picture.format === 'svg' ? 'SVG image' : 'Image'
      const place = await placeFor(files, { name: suggestedName, extension: `.${picture.format}`, kind, folder })
      if (place === undefined) return null
      return { path: place.path, bytes: await saveAt(place, [content]) }
    },
    'export-folders/choose': async () => {
      const folder = await chooseFolder(files)
      return folder === undefined ? null : { folder }
    },
    'presets/list': () => presets.list(),
    'presets/keep': ({ preset }) => presets.keep(preset),
    'presets/remove': ({ id }) => presets.remove(id),
    'presets/chosen': ({ last }) => presets.chosen(last),
    'many/export': async (wanted) => {
      if (!(await files.takes(wanted.folder))) throw noFolder()
      await files.note(wanted.folder)
      const end = underWay.begin('many', 'Several reports')
      const outcomes = await many.export(wanted).finally(end)
      for (const { path } of outcomes) if (path !== undefined) noteWritten(path)
      return { outcomes }
    },
    'many/stop': () => many.stop(),
    'rules/list': async ({ accountId }) => shown(await rules.list(accountId)),
    'rules/keep': async ({ accountId, rule }) => {
      const old = (await rules.list(accountId)).find(
        ({ rule: { service, reportId } }) => service === rule.service && reportId === rule.reportId,
      )
      if (!isAbsolute(rule.folder) || (!wasChosen(rule.folder) && old?.rule.folder !== rule.folder)) throw noFolder()
      return shown(await rules.keep(accountId, rule))
    },
    'rules/remove': async ({ accountId, ...report }) => shown(await rules.remove(accountId, report)),
    'rules/again': async ({ accountId }) => shown(await rules.carryOut(accountId)),
  }
}

const noFolder = (): FaultError => new FaultError({ code: 'invalid', message: 'Choose a folder to export to.' })

/** Allows the system's file manager to show the files of automatic exports. */
function shown(rules: ExportRuleSeen[]): { rules: ExportRuleSeen[] } {
  for (const { exports } of rules) for (const { path } of exports) if (path !== undefined) noteWritten(path)
  return { rules }
}
