package budget

import (
	"math/big"
	"time"

	aviso "aviso.example/client"
)

// The size of the chart of months, in units of its picture. Text is as large as beside it on a phone.
const (
	chartWidth, chartHeight = 340.0, 150.0
	chartTop, chartBottom   = 22.0, 24.0
	chartLeft               = 46.0 // for the amounts of the axis
)

// bar is a month in the chart, a link to its page.
type bar struct {
	X, Y, Width, Height, Middle float64
	Label, Value                string
	URL                         string
	Current                     bool
}

// tick is an amount on the axis, and the place of its line.
type tick struct {
	Y     float64
	Label string
}

// axis returns the ticks for zero, half of the highest amount, and the highest amount.
func axis(v *visit, highest aviso.Amount, currency string) (all []tick) {
	for _, part := range []int64{0, 1, 2} {
		amount := new(big.Rat).Mul(highest.Rat(), big.NewRat(part, 2))
		all = append(all, tick{
			Y:     chartHeight - chartBottom - float64(part)/2*(chartHeight-chartTop-chartBottom),
			Label: v.Round(aviso.Must(aviso.ParseAmount(amount.FloatString(2))), currency),
		})
	}
	return all
}

// bars draws a month beside the other. The highest one is as high as the chart.
func bars(
	v *visit, totals map[string]aviso.Amount, currency string, oldest, newest, current time.Time,
) (all []bar, ticks []tick) {
	var top aviso.Amount
	for _, total := range totals {
		if total.Cmp(top) > 0 {
			top = total
		}
	}
	highest := number(top)
	count := 0
	for m := oldest; !m.After(newest); m = m.AddDate(0, 1, 0) {
		count++
	}
	room := (chartWidth - chartLeft) / float64(count)
	for i := range count {
		month := oldest.AddDate(0, i, 0)
		total := totals[month.Format(time.DateOnly)]
		height := 2.0 // also nothing can be seen, and clicked
		if highest > 0 {
			height = max(height, number(total)/highest*(chartHeight-chartTop-chartBottom))
		}
		width := min(room*0.62, 44)
		all = append(all, bar{
			X: chartLeft + float64(i)*room + (room-width)/2, Y: chartHeight - chartBottom - height, Width: width, Height: height,
			Middle: chartLeft + (float64(i)+0.5)*room, Label: v.Known("month", month.Format("Jan")),
			Value: v.Round(total, currency), Current: month.Equal(current), URL: v.prefix + "/spending?month=" + month.Format("2006-01"),
		})
	}
	if highest > 0 {
		ticks = axis(v, top, currency)
	}
	return all, ticks
}

// slice is a part of a ring whose circumference is 100.
type slice struct{ Offset, Length float64 }

// divide gives each group its part of the ring, with a gap between them.
func divide(groups []group, total aviso.Amount) {
	const gap = 0.8
	offset := 0.0
	for i := range groups {
		length := 0.0
		if all := number(total); all > 0 {
			length = number(groups[i].Amount) / all * 100
		}
		groups[i].Slice = slice{Offset: -offset, Length: max(0.2, length-gap)}
		offset += length
	}
}

// scale compares groups with the largest one, which is first.
func scale(groups []group) {
	for i := range groups {
		if all := number(groups[0].Amount); all > 0 {
			groups[i].Percent = max(1, int(number(groups[i].Amount)/all*100))
		}
	}
}

// number is an amount for a picture; sums are exact.
func number(a aviso.Amount) float64 {
	f, _ := a.Rat().Float64()
	return f
}
