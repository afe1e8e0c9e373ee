//! A chart in its frame: title, unit and scope, and what can be done with it; drawn, or as its table.
//!
//! It draws descriptions and knows no scenario. Lines are drawn with a plot that is hovered, zoomed and dragged; what stands
//! under and over them is the same drawing that exports write.

use egui::accesskit::Role;
use egui::{Align2, Id, Rect, RichText, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use egui_plot::{Line as PlotLine, LineStyle, Plot, PlotBounds, PlotMemory, PlotPoints};

use super::labels::{Told, elided, painted_text, text_width};
use super::table::{Align, Column, Row, RowKind, TableCell, fit, table_ui};
use crate::app::icons::{self, Icon};
use crate::app::paint::{paint, rows_ui, scene_ui};
use crate::app::theme::{self, Palette};
use crate::chart::{self, Body, Chart, Dash, Frame, Lines, Look, Twin, Value};
use crate::quantity::Currency;
use crate::show::Figures;

/// What a person did with a chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChartAsked {
    /// To see its table, or its drawing again.
    Turn,
    Copy,
    /// Its table, as cells.
    CopyTable,
    Save,
}

/// How a chart is shown.
#[derive(Clone, Copy)]
pub struct ChartShown {
    pub width: f32,
    pub as_table: bool,
    pub figures: Figures,
    pub currency: Currency,
}

/// Draws a chart in its frame.
pub fn chart_ui(ui: &mut Ui, chart: &Chart, shown: ChartShown) -> Option<ChartAsked> {
    framed_ui(ui, chart, shown, |ui| {
        drawing_ui(ui, chart, shown);
        // Where lines cross is told in words as well, every month of it.
        if matches!(chart.body, Body::Lines(_)) {
            notes_ui(ui, &chart.twin);
        }
    })
}

/// The frame of a chart, around its table or around what draws it.
pub fn framed_ui(
    ui: &mut Ui,
    chart: &Chart,
    shown: ChartShown,
    drawing_ui: impl FnOnce(&mut Ui),
) -> Option<ChartAsked> {
    ui.vertical(|ui| {
        ui.set_width(shown.width);
        ui.spacing_mut().item_spacing.y = 4.0;
        let mut asked = head_ui(ui, chart, shown);
        if shown.as_table {
            asked = asked.or(twin_ui(ui, chart, shown));
        } else {
            drawing_ui(ui);
        }
        asked
    })
    .inner
}

/// What a chart marks, in sentences.
fn notes_ui(ui: &mut Ui, twin: &Twin) {
    let palette = Palette::of(ui.visuals());
    for note in &twin.notes {
        ui.label(RichText::new(note).font(theme::SMALL).color(palette.text2));
    }
}

fn head_ui(ui: &mut Ui, chart: &Chart, shown: ChartShown) -> Option<ChartAsked> {
    const TOOL: f32 = 24.0;
    let (rect, _) = ui.allocate_exact_size(vec2(shown.width, 24.0), Sense::hover());
    let palette = Palette::of(ui.visuals());
    let tools = [
        (Icon::Table, if shown.as_table { "Show as drawing" } else { "Show as table" }, ChartAsked::Turn),
        (Icon::Copy, "Copy chart", ChartAsked::Copy),
        (Icon::Export, "Save chart", ChartAsked::Save),
    ];
    #[expect(clippy::cast_precision_loss, reason = "three buttons")]
    let room = rect.width() - TOOL * tools.len() as f32 - 8.0;
    let bold = theme::semibold(13.0);
    let title = elided(ui.painter(), &chart.title, &bold, room);
    let taken =
        painted_text(ui.painter(), rect.left_center(), Align2::LEFT_CENTER, &title, &bold, palette.text).width();
    let scope = elided(ui.painter(), &chart.scope, &theme::SMALL, (room - taken - 8.0).max(0.0));
    if room - taken > 40.0 {
        let at = pos2(rect.min.x + taken + 8.0, rect.center().y);
        painted_text(ui.painter(), at, Align2::LEFT_CENTER, &scope, &theme::SMALL, palette.text2);
    }
    let place = rect.with_max_x(rect.min.x + room);
    let label = ui.interact(place, ui.scope_id().with((&chart.title, "title")), Sense::hover());
    label.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("{}, {}", chart.title, chart.scope)));
    if scope != chart.scope || title != chart.title {
        label.told(format!("{}, {}", chart.title, chart.scope));
    }
    let mut asked = None;
    let mut left = rect.min.x + room + 8.0;
    for (icon, name, asks) in tools {
        let place = Rect::from_min_size(pos2(left, rect.min.y), vec2(TOOL, 24.0));
        left += TOOL;
        let response = ui.interact(place, ui.scope_id().with((&chart.title, name)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name}: {}", chart.title)));
        if response.hovered() {
            ui.painter().rect_filled(place, 3, palette.hover);
        }
        if response.has_focus() {
            icons::border(ui.painter(), place, 3, 2.0, palette.accent);
        }
        icons::icon(ui.painter(), icon, place.center(), 16.0, palette.text2);
        if response.told(name).clicked() {
            asked = Some(asks);
        }
    }
    asked
}

fn drawing_ui(ui: &mut Ui, chart: &Chart, shown: ChartShown) {
    match &chart.body {
        Body::Lines(lines) => lines_ui(ui, chart, lines, shown),
        _ => {
            let scene = chart.scene(shown.width, Look::Desk, shown.figures);
            scene_ui(ui, &chart.title, &scene, Sense::hover());
        }
    }
    if !chart.key.is_empty() {
        let key = chart::key(&chart.key, shown.width, Look::Desk);
        scene_ui(ui, &format!("Key of {}", chart.title), &key, Sense::hover());
    }
}

/// Lines on axes that can be zoomed, with everything else laid out as for any other renderer.
fn lines_ui(ui: &mut Ui, chart: &Chart, lines: &Lines, shown: ChartShown) {
    let palette = Palette::of(ui.visuals());
    let size = vec2(shown.width, chart.height(shown.width, Look::Desk));
    let tick = |value| shown.figures.short(value);
    let whole = lines.frame(size.x, size.y, Look::Desk, &tick);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let field = Rect::from_min_size(rect.min + vec2(whole.left, whole.top), vec2(whole.width, whole.height));
    let id = ui.scope_id().with((&chart.title, "plot"));
    let frame = zoomed(ui, id, whole);
    let origin = rect.min.round();
    paint(ui.painter(), origin, &chart::under(&frame, (size.x, size.y), &tick), palette);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(field));
    let plot = plot(id, &whole).show(&mut inner, |plot| {
        for (placement, points) in &lines.behind {
            let points: Vec<[f64; 2]> = points.iter().map(|(x, y)| [*x, *y]).collect();
            let drawn = PlotLine::new(format!("base of {placement}"), PlotPoints::from(points))
                .color(palette.placement(*placement))
                .style(style(Dash::Dots))
                .width(chart::BEHIND)
                .allow_hover(false);
            plot.line(drawn);
        }
        for heavy in [false, true] {
            for line in lines.lines.iter().filter(|line| line.is_heavy == heavy) {
                let points: Vec<[f64; 2]> = line.points.iter().map(|(x, y)| [*x, *y]).collect();
                let drawn = PlotLine::new(line.name.clone(), PlotPoints::from(points))
                    .color(palette.placement(line.placement))
                    .style(style(Dash::of_placement(line.placement)))
                    .width(Look::Desk.stroke(heavy))
                    .allow_hover(false);
                plot.line(drawn);
            }
        }
    });
    let seen = bounds(plot.transform.bounds());
    if far(seen.0, frame.months, whole.months) || far(seen.1, frame.amounts, whole.amounts) {
        ui.ctx().request_discard("the axes of a plot have moved");
    }
    plot.response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &chart.title));
    let over = chart::over(lines, &frame, (size.x, size.y));
    paint(&ui.painter_at(rect.expand(4.0)), origin, &over, palette);
    rows_ui(ui, &chart.title, &over, rect, Sense::hover());
    month_ui(ui, lines, &frame, (origin, field), plot.response);
}

fn plot<'a>(id: Id, whole: &Frame) -> Plot<'a> {
    Plot::new(id)
        .id(id)
        .width(whole.width)
        .height(whole.height)
        .default_x_bounds(whole.months.0, whole.months.1)
        .default_y_bounds(whole.amounts.0, whole.amounts.1)
        .set_margin_fraction(egui::Vec2::ZERO)
        .show_axes(false)
        .show_grid(false)
        .show_background(false)
        .show_x(false)
        .show_y(false)
        .show_crosshair(false)
        // The keyboard reads the table, and does not stop here.
        .sense(Sense::CLICK.union(Sense::DRAG))
        // The wheel scrolls the page; with Ctrl it zooms.
        .allow_scroll(false)
        .label_formatter(|_| None)
}

fn style(dash: Dash) -> LineStyle {
    match dash {
        Dash::Solid => LineStyle::Solid,
        Dash::Dashes => LineStyle::Dashed { length: 6.0 },
        Dash::Dots => LineStyle::Dashed { length: 2.0 },
    }
}

fn bounds(bounds: &PlotBounds) -> ((f64, f64), (f64, f64)) {
    let (low, high) = (bounds.min(), bounds.max());
    ((low[0], high[0]), (low[1], high[1]))
}

fn far(a: (f64, f64), b: (f64, f64), whole: (f64, f64)) -> bool {
    let slack = (whole.1 - whole.0).abs() * 1e-6;
    (a.0 - b.0).abs() > slack || (a.1 - b.1).abs() > slack
}

/// The part of the axes that the plot was left at; all of it where nobody has zoomed, or where the lines are others now.
fn zoomed(ui: &Ui, id: Id, whole: Frame) -> Frame {
    let known = id.with("whole");
    let extent = (whole.months, whole.amounts);
    let before = ui.data(|data| data.get_temp::<((f64, f64), (f64, f64))>(known));
    ui.data_mut(|data| data.insert_temp(known, extent));
    let Some(mut memory) = PlotMemory::load(ui.ctx(), id) else { return whole };
    let is_same = before == Some(extent);
    if !is_same {
        let low_high = ([whole.months.0, whole.amounts.0], [whole.months.1, whole.amounts.1]);
        memory.set_bounds(PlotBounds::from_min_max(low_high.0, low_high.1));
        memory.store(ui.ctx(), id);
        return whole;
    }
    let (months, amounts) = bounds(memory.bounds());
    Frame { months, amounts, ..whole }
}

/// The exact amounts of the month under the pointer, and where they stand on the lines.
fn month_ui(ui: &Ui, lines: &Lines, frame: &Frame, (origin, field): (egui::Pos2, Rect), response: egui::Response) {
    let palette = Palette::of(ui.visuals());
    let Some(pointer) = response.hover_pos() else { return };
    let along = f64::from((pointer.x - origin.x - frame.left) / frame.width);
    let Some(month) = lines.month_at(frame.months.0 + along * (frame.months.1 - frame.months.0)) else { return };
    #[expect(clippy::cast_precision_loss, reason = "at most some hundred months")]
    let end = month as f64 + 1.0;
    let painter = ui.painter_at(field);
    let x = origin.x + frame.x(end);
    painter.vline(x.round() + 0.5, field.y_range(), egui::Stroke::new(1.0, palette.line2));
    let mut amounts: Vec<(usize, &str, &str, f64)> = Vec::new();
    for line in &lines.lines {
        let Some(&(_, amount)) = line.points.iter().find(|point| (point.0 - end).abs() < 0.5) else { continue };
        painter.circle_filled(pos2(x, origin.y + frame.y(amount)), 3.0, palette.placement(line.placement));
        amounts.push((line.placement, &line.name, line.exact.get(month).map_or("", String::as_str), amount));
    }
    // In the order in which the lines lie under each other.
    amounts.sort_by(|a, b| b.3.total_cmp(&a.3));
    let crossed = lines.crossings.iter().filter(|crossing| (crossing.at.0 - end).abs() < 0.5);
    let crossed: Vec<&str> = crossed.map(|crossing| crossing.title.as_str()).collect();
    response.told_at_pointer(|ui| {
        ui.label(RichText::new(format!("{} {}", lines.when, lines.months[month])).font(theme::semibold(12.0)));
        for (placement, name, exact, _) in &amounts {
            let width = text_width(ui.painter(), exact, &theme::BODY);
            let names = amounts.iter().map(|of| text_width(ui.painter(), of.1, &theme::SMALL)).fold(0.0, f32::max);
            let figures = amounts.iter().map(|of| text_width(ui.painter(), of.2, &theme::BODY)).fold(0.0, f32::max);
            let (rect, _) = ui.allocate_exact_size(vec2(names.min(240.0) + figures + 40.0, 18.0), Sense::hover());
            icons::badge(ui.painter(), pos2(rect.min.x + 8.0, rect.center().y), *placement, 14.0, palette);
            let at = pos2(rect.min.x + 20.0, rect.center().y);
            let name = elided(ui.painter(), name.get(2..).unwrap_or(name), &theme::SMALL, 240.0);
            painted_text(ui.painter(), at, Align2::LEFT_CENTER, &name, &theme::SMALL, palette.text2);
            let at = pos2(rect.max.x - width, rect.center().y);
            painted_text(ui.painter(), at, Align2::LEFT_CENTER, exact, &theme::BODY, palette.text);
        }
        for title in crossed {
            ui.label(RichText::new(format!("{title} from here")).font(theme::SMALL));
        }
    });
}

/// The table of a chart, in its place.
fn twin_ui(ui: &mut Ui, chart: &Chart, shown: ChartShown) -> Option<ChartAsked> {
    let (mut columns, rows) = twin_table(&chart.twin, shown);
    fit(ui, &mut columns, &rows);
    fit_names(ui, &mut columns, &rows);
    let height = chart.height(shown.width, Look::Desk).max(320.0);
    let name = format!("Table of {}", chart.title);
    egui::ScrollArea::both().id_salt(&name).max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        table_ui(ui, &name, &columns, &rows, None);
    });
    // The sentences of an analysis stand above it already.
    if matches!(chart.body, Body::Lines(_) | Body::Steps(_) | Body::Stacks(_) | Body::Load(_)) {
        notes_ui(ui, &chart.twin);
    }
    let copied = crate::app::dialogs::button(ui, "Copy table", false).clicked();
    copied.then_some(ChartAsked::CopyTable)
}

/// The first column is as wide as its names, up to a limit.
pub fn fit_names(ui: &Ui, columns: &mut [Column], rows: &[Row]) {
    let Some(first) = columns.first_mut() else { return };
    let names = rows.iter().map(|row| text_width(ui.painter(), &row.name, &theme::BODY));
    first.width =
        names.fold(text_width(ui.painter(), &first.heading, &theme::SMALL), f32::max).min(240.0).ceil() + 12.0;
}

/// The table of a chart: its columns and rows.
pub fn twin_table(twin: &Twin, shown: ChartShown) -> (Vec<Column>, Vec<Row>) {
    let is_words = |i: usize| twin.rows.iter().all(|row| row.get(i).is_none_or(Value::is_words));
    let column = |(i, heading): (usize, &String)| Column {
        heading: heading.clone(),
        badge: twin.badges.get(i).copied().flatten(),
        width: 32.0,
        align: if is_words(i) { Align::Left } else { Align::Right },
        focused: false,
        ruled: false,
    };
    let cell = |value: &Value| match value {
        Value::Words(text) => TableCell::words(text),
        _ => TableCell::figure(value.shown(shown.figures, shown.currency), String::new()),
    };
    let row = |row: &Vec<Value>| {
        let name = row.first().map_or_else(String::new, |value| value.shown(shown.figures, shown.currency));
        Row { kind: RowKind::Plain, name, swatch: None, fold: None, cells: row.iter().skip(1).map(cell).collect() }
    };
    (twin.headings.iter().enumerate().map(column).collect(), twin.rows.iter().map(row).collect())
}
